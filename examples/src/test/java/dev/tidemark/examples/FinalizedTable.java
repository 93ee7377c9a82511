package dev.tidemark.examples;

import dev.tidemark.commit.TidemarkKeys;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/** What a table of ids tells of itself whose watermark is the least of its last two commits. */
final class FinalizedTable {
  private final Table table;

  FinalizedTable(Table table) {
    this.table = table;
  }

  long rows() {
    Snapshot head = table.currentSnapshot();
    return head == null ? 0 : Long.parseLong(head.summary().get("total-records"));
  }

  /** How often each id is there. */
  Map<Long, Integer> ids() throws IOException {
    Map<Long, Integer> times = new HashMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).select("id").build()) {
      records.forEach(row -> times.merge((Long) row.getField("id"), 1, Integer::sum));
    }
    return times;
  }

  /** The watermark in milliseconds; the least number if there is none. */
  long watermark() {
    String until = table.properties().get(TidemarkKeys.main().finalizedUntilMillis());
    return until == null ? Long.MIN_VALUE : Long.parseLong(until);
  }

  /** What the policy gives for the commits in the table, computed from their summaries. */
  long watermarkOfFacts() {
    long hour = ChronoUnit.HOURS.getDuration().toMillis();
    long watermark = Long.MIN_VALUE;
    Long previous = null;
    for (Snapshot snapshot : table.snapshots()) {
      String min = snapshot.summary().get(TidemarkKeys.main().eventTime("min"));
      if (min == null) {
        continue;
      }
      if (previous != null) {
        long least = Math.min(previous, Long.parseLong(min));
        watermark = Math.max(watermark, Math.floorDiv(least, hour) * hour);
      }
      previous = Long.parseLong(min);
    }
    return watermark;
  }

  /** Whether the watermark is there, which follows the last commit. */
  boolean isFinalizedByItsFacts() {
    return watermark() == watermarkOfFacts();
  }

  /** The watermark in every version of the table's metadata. */
  List<Long> watermarkHistory() {
    TableOperations ops = ((HasTableOperations) table).operations();
    List<Long> history = new ArrayList<>();
    for (TableMetadata.MetadataLogEntry entry : ops.current().previousFiles()) {
      TableMetadata metadata = TableMetadataParser.read(ops.io().newInputFile(entry.file()));
      history.add(
          Long.parseLong(
              metadata.property(
                  TidemarkKeys.main().finalizedUntilMillis(), Long.toString(Long.MIN_VALUE))));
    }
    history.add(watermark());
    return history;
  }
}
