package dev.tidemark.action;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.CharMatcher;
import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import dev.tidemark.action.FinalPartitions.Partition;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileIO;

/**
 * Writes a marker file for each final hour or day, as {@code _SUCCESS} files are known from batch
 * jobs: it is there once the partition is final.
 *
 * <p>Markers are written oldest first, after the newest one that is there, so that what was missed
 * is made up for and a marker is never there without those before it. Those beyond the watermark,
 * which was reset then, are deleted. That a file exists is the signal; its content, JSON, says of
 * which snapshot. Written through the table's own file IO.
 */
public final class MarkFinalPartitions implements AdvanceListener {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Searches for orphan files pass over what begins with an underscore, so they leave it in place.
   */
  private static final String DEFAULT_LOCATION =
      "{location}/_finalized/{branch}/{partition}/_SUCCESS";

  private static final ImmutableList<String> FIELDS =
      ImmutableList.of("{location}", "{table}", "{branch}", "{partition}");

  private final FinalPartitions partitions;
  private final String location;

  private MarkFinalPartitions(FinalPartitions partitions, String location) {
    this.partitions = partitions;
    this.location = location;
  }

  /** A marker for each hour, in UTC. */
  public static MarkFinalPartitions hourly() {
    return new MarkFinalPartitions(FinalPartitions.hours(), DEFAULT_LOCATION);
  }

  /** A marker for each day of a zone. */
  public static MarkFinalPartitions daily(ZoneId zone) {
    return new MarkFinalPartitions(FinalPartitions.days(zone), DEFAULT_LOCATION);
  }

  /**
   * Where markers are, with {@code {partition}} in it and, as needed, {@code {location}} of the
   * table, {@code {table}} (its name) and {@code {branch}}. Default: {@code
   * {location}/_finalized/{branch}/{partition}/_SUCCESS}.
   *
   * @throws IllegalArgumentException if {@code {partition}} is missing, or there is an unknown
   *     field
   */
  public MarkFinalPartitions withLocation(String location) {
    Preconditions.checkArgument(
        location.contains("{partition}"),
        "Invalid location of markers: %s (must contain {partition})",
        location);
    String rest = location;
    for (String field : FIELDS) {
      rest = rest.replace(field, "");
    }
    Preconditions.checkArgument(
        CharMatcher.anyOf("{}").matchesNoneOf(rest),
        "Invalid location of markers: %s (fields must be among %s)",
        location,
        FIELDS);
    return new MarkFinalPartitions(partitions, location);
  }

  @Override
  public void advanced(AdvanceNotice notice, Supplier<Table> table) throws IOException {
    Table live = table.get();
    Long snapshotId = Declared.snapshotId(notice, live);
    if (snapshotId == null) {
      return;
    }
    FileIO io = live.io();
    Instant until = Instant.ofEpochMilli(notice.finalizedUntil().getMillis());
    for (Partition next = partitions.containing(until);
        io.newInputFile(path(notice, live, next)).exists();
        next = partitions.after(next)) {
      io.deleteFile(path(notice, live, next));
    }
    Deque<Partition> missing = new ArrayDeque<>();
    for (Partition partition :
        partitions.within(Declared.javaTime(notice.finalizedSince()), until)) {
      if (io.newInputFile(path(notice, live, partition)).exists()) {
        break;
      }
      missing.push(partition);
    }
    for (Partition partition : missing) {
      try (OutputStream out = io.newOutputFile(path(notice, live, partition)).createOrOverwrite()) {
        out.write(content(notice, partition, snapshotId));
      }
    }
  }

  private String path(AdvanceNotice notice, Table live, Partition partition) {
    return location
        .replace("{location}", CharMatcher.is('/').trimTrailingFrom(live.location()))
        .replace("{table}", notice.table())
        .replace("{branch}", notice.branch())
        .replace("{partition}", partition.name());
  }

  private static byte[] content(AdvanceNotice notice, Partition partition, long snapshotId)
      throws IOException {
    ObjectNode body = JSON.createObjectNode();
    body.put("version", 1);
    body.put("table", notice.table());
    body.put("tableUuid", notice.tableUuid());
    body.put("branch", notice.branch());
    body.put("partition", partition.name());
    body.put("start", partition.start().toString());
    body.put("end", partition.end().toString());
    body.put("snapshotId", Long.toString(snapshotId));
    return JSON.writeValueAsBytes(body);
  }

  @Override
  public String toString() {
    return "MarkFinalPartitions{" + partitions + "}";
  }
}
