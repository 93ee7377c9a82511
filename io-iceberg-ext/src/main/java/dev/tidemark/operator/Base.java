package dev.tidemark.operator;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import dev.tidemark.commit.CommitException;
import dev.tidemark.commit.StoredEvidence;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.commit.WatermarkState;
import java.time.Instant;
import java.util.Map;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The metadata version that an act is computed from. */
final class Base {
  private final TableIdentifier table;
  private final TableMetadata metadata;
  private final TidemarkKeys keys;
  private final StoredEvidence evidence;

  private Base(TableIdentifier table, TableMetadata metadata, StoredEvidence evidence) {
    this.table = table;
    this.metadata = metadata;
    this.keys = evidence.keys();
    this.evidence = evidence;
  }

  static Base of(TableIdentifier table, TableMetadata metadata, String branch) {
    try {
      return new Base(table, metadata, StoredEvidence.of(metadata, branch));
    } catch (IllegalArgumentException | CommitException e) {
      throw new OperatorException(
          OperatorException.Kind.UNREADABLE, String.valueOf(e.getMessage()), e);
    }
  }

  TableIdentifier table() {
    return table;
  }

  TableMetadata metadata() {
    return metadata;
  }

  Map<String, String> properties() {
    return metadata.properties();
  }

  TidemarkKeys keys() {
    return keys;
  }

  StoredEvidence evidence() {
    return evidence;
  }

  WatermarkState watermark() {
    return evidence.watermark();
  }

  boolean isClone() {
    return evidence.standing() == StoredEvidence.Standing.CLONE;
  }

  /** The watermark; null if there is none, or if it is another table's. */
  @Nullable Instant until() {
    Long millis = watermark().finalizedUntilMillis();
    return millis == null || isClone() ? null : Instant.ofEpochMilli(millis);
  }

  /** The writers that are listed as required; empty if none are. */
  ImmutableSet<String> listed() {
    try {
      return evidence.requiredWriters();
    } catch (IllegalArgumentException e) {
      throw new OperatorException(
          OperatorException.Kind.UNREADABLE,
          "Cannot read property %s of table %s: %s. List writer ids separated by commas."
              .formatted(keys.writers(), table, e.getMessage()),
          e);
    }
  }

  /**
   * The writers that are required, to be careful: those listed, else all that have left evidence or
   * a record of commits, which stays after a reset.
   */
  ImmutableSortedSet<String> known() {
    return listed().isEmpty()
        ? ImmutableSortedSet.<String>naturalOrder()
            .addAll(evidence.writers())
            .addAll(evidence.committers())
            .build()
        : required();
  }

  /** The writers that are required: those listed, else all that have left evidence. */
  ImmutableSortedSet<String> required() {
    ImmutableSet<String> listed = listed();
    return listed.isEmpty() ? evidence.writers() : ImmutableSortedSet.copyOf(listed);
  }
}
