package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.EventTimeColumn;
import dev.tidemark.commit.ForeignAppends;
import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.StoredEvidence.Standing;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Looks for foreign appends below the watermark. */
final class ForeignLates {
  private ForeignLates() {}

  static ImmutableList<ForeignLate> in(TableSource.Version version, StoredEvidence evidence) {
    TableMetadata metadata = version.metadata();
    Standing standing = evidence.standing();
    Long until = evidence.watermark().finalizedUntilMillis();
    String path = metadata.properties().get(evidence.keys().eventTimeColumn());
    if (until == null
        || path == null
        || standing == Standing.CLONE
        || standing == Standing.ROLLED_BACK) {
      return ImmutableList.of();
    }
    Types.NestedField column = metadata.schema().findField(path);
    Long bound = column == null ? null : bound(column.type(), until, metadata, evidence);
    if (bound == null) {
      return ImmutableList.of();
    }
    return ForeignAppends.below(
            metadata,
            version.io(),
            evidence.keys().branch(),
            evidence.watermark().snapshotId(),
            EventTimeColumn.of(path),
            bound)
        .stream()
        .map(
            append ->
                new ForeignLate(
                    append.snapshotId(), append.files(), append.maxRecords(), append.suspected()))
        .collect(ImmutableList.toImmutableList())
        .reverse();
  }

  /** The watermark as the column's own metrics count; null where they count no time. */
  private static @Nullable Long bound(
      Type type, long until, TableMetadata metadata, StoredEvidence evidence) {
    if (PartitionNames.isLocal(type)) {
      String name = metadata.properties().get(evidence.keys().eventTimeZone());
      try {
        ZoneId zone = name == null ? ZoneOffset.UTC : ZoneId.of(name);
        return LocalDateTime.ofInstant(Instant.ofEpochMilli(until), zone)
            .toInstant(ZoneOffset.UTC)
            .toEpochMilli();
      } catch (DateTimeException e) {
        return null;
      }
    }
    return switch (type.typeId()) {
      case TIMESTAMP, TIMESTAMP_NANO -> until;
      default -> null;
    };
  }
}
