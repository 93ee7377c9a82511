package dev.tidemark.commit;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Finds appends of writers that are not Tidemark's below a watermark, from the metrics in
 * manifests.
 *
 * <p>Such rows have no facts, so nothing but the lower bound of the event-time column tells about
 * them. A file without one is suspected. Compactions and other rewrites add no rows and are not
 * looked at.
 */
public final class ForeignAppends {
  private ForeignAppends() {}

  /**
   * The foreign appends on a branch since a snapshot (exclusive) with files that may reach below a
   * watermark, newest first. Where that snapshot is no ancestor of the head any more, all known
   * ancestors are looked at.
   */
  public static ImmutableList<ForeignAppend> below(
      TableMetadata base,
      FileIO io,
      String branch,
      @Nullable Long sinceSnapshotId,
      EventTimeColumn column,
      long watermarkMillis) {
    TidemarkKeys keys = TidemarkKeys.forBranch(branch);
    ImmutableList.Builder<ForeignAppend> found = ImmutableList.builder();
    for (Snapshot snapshot : new Lineage(base, branch).all()) {
      if (sinceSnapshotId != null && snapshot.snapshotId() == sinceSnapshotId) {
        break;
      }
      boolean own = Lineage.summary(snapshot).containsKey(keys.writer());
      if (!own && addsRows(snapshot)) {
        ForeignAppend append = look(base, io, snapshot, column, watermarkMillis);
        if (append.files() > 0) {
          found.add(append);
        }
      }
    }
    return found.build();
  }

  private static boolean addsRows(Snapshot snapshot) {
    return DataOperations.APPEND.equals(snapshot.operation())
        || DataOperations.OVERWRITE.equals(snapshot.operation());
  }

  private static ForeignAppend look(
      TableMetadata base, FileIO io, Snapshot snapshot, EventTimeColumn column, long watermark) {
    Types.NestedField field = base.schema().findField(column.path());
    int files = 0;
    long records = 0;
    Long earliest = null;
    boolean suspected = false;
    for (DataFile file : AddedFiles.of(base, snapshot, io)) {
      Long bound = field == null ? null : lowerBound(file, field, column.unit());
      if (bound != null && bound >= watermark) {
        continue;
      }
      files++;
      records += file.recordCount();
      if (bound == null) {
        suspected = true;
      } else if (earliest == null || bound < earliest) {
        earliest = bound;
      }
    }
    return ForeignAppend.of(
        snapshot.snapshotId(), files, records, suspected ? null : earliest, suspected);
  }

  /** The lower bound in milliseconds, rounded down; null if there is none or it is no time. */
  private static @Nullable Long lowerBound(DataFile file, Types.NestedField field, TimeUnit unit) {
    ByteBuffer bytes = file.lowerBounds() == null ? null : file.lowerBounds().get(field.fieldId());
    if (bytes == null) {
      return null;
    }
    Type type = field.type();
    Object value = Conversions.fromByteBuffer(type, bytes);
    return switch (type.typeId()) {
      case TIMESTAMP -> Math.floorDiv((Long) value, 1_000L);
      case TIMESTAMP_NANO -> Math.floorDiv((Long) value, 1_000_000L);
      case DATE -> TimeUnit.DAYS.toMillis((Integer) value);
      case INTEGER, LONG -> toMillis(((Number) value).longValue(), unit);
      default -> null;
    };
  }

  private static long toMillis(long value, TimeUnit unit) {
    long perMilli = unit.convert(1, TimeUnit.MILLISECONDS);
    return perMilli > 1 ? Math.floorDiv(value, perMilli) : unit.toMillis(value);
  }
}
