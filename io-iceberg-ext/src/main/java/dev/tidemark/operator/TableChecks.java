package dev.tidemark.operator;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.FenceKind;
import dev.tidemark.commit.TidemarkKeys;
import java.util.Locale;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.util.PropertyUtil;

/** The fence, the size of the metadata, and settings that keep Tidemark from working. */
final class TableChecks {
  private static final long LARGE_BYTES = 8L << 20;
  private static final long HUGE_BYTES = 64L << 20;

  private TableChecks() {}

  static ImmutableList<Finding> of(
      TableOperations operations, TableMetadata metadata, TidemarkKeys keys) {
    return ImmutableList.of(
        fence(operations, metadata, keys),
        size(operations, metadata),
        kept(metadata),
        staged(metadata, keys));
  }

  private static Finding fence(
      TableOperations operations, TableMetadata metadata, TidemarkKeys keys) {
    String check = "fence";
    String stored = metadata.properties().get(keys.fence());
    boolean whole = FenceKind.metadataSuffices(operations);
    if (stored == null) {
      return Finding.info(check, "No fence is recorded: Tidemark has not written properties yet");
    }
    if (stored.equals(FenceKind.METADATA.name().toLowerCase(Locale.ROOT))) {
      return whole
          ? Finding.ok(
              check, "Property writes are fenced by whole metadata, which this catalog compares")
          : Finding.warning(
              check,
              "Property writes were fenced by whole metadata, which this catalog is not known to compare",
              "Nothing, if the table moved to this catalog: the next write changes the fence. Let no writer use another catalog for this table.");
    }
    if (stored.equals(FenceKind.SNAPSHOT.name().toLowerCase(Locale.ROOT))) {
      return Finding.ok(
          check,
          "Property writes are fenced by empty snapshots; stock IcebergIO 2.67 cannot write beside them");
    }
    return Finding.error(
        check,
        "Property %s is %s (must be metadata or snapshot)".formatted(keys.fence(), stored),
        "Remove the property; the next write records it anew.");
  }

  private static Finding size(TableOperations operations, TableMetadata metadata) {
    String check = "metadata-size";
    String path = metadata.metadataFileLocation();
    long bytes;
    try {
      bytes = operations.io().newInputFile(path).getLength();
    } catch (RuntimeException e) {
      return Finding.info(check, "The size of the metadata file cannot be told");
    }
    String message =
        "The metadata file has %,d bytes and %,d snapshots"
            .formatted(bytes, metadata.snapshots().size());
    String remedy =
        "Expire snapshots, and set %s=gzip. Every question and every commit reads this file."
            .formatted(TableProperties.METADATA_COMPRESSION);
    if (bytes > HUGE_BYTES) {
      return Finding.error(check, message, remedy);
    }
    return bytes > LARGE_BYTES
        ? Finding.warning(check, message, remedy)
        : Finding.ok(check, message);
  }

  private static Finding kept(TableMetadata metadata) {
    String check = "metadata-files";
    boolean deleted =
        PropertyUtil.propertyAsBoolean(
            metadata.properties(),
            TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED,
            TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED_DEFAULT);
    return deleted
        ? Finding.ok(check, "Old metadata files are deleted after commits")
        : Finding.warning(
            check,
            "Old metadata files are kept for ever, one for each commit and each move of the watermark",
            "Set %s=true.".formatted(TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED));
  }

  private static Finding staged(TableMetadata metadata, TidemarkKeys keys) {
    String check = "staged-commits";
    boolean staged =
        PropertyUtil.propertyAsBoolean(
            metadata.properties(),
            TableProperties.WRITE_AUDIT_PUBLISH_ENABLED,
            Boolean.parseBoolean(TableProperties.WRITE_AUDIT_PUBLISH_ENABLED_DEFAULT));
    return staged && keys.branch().equals(TidemarkKeys.MAIN)
        ? Finding.error(
            check,
            "The table wants staged commits, which Tidemark refuses",
            "Unset %s, or write to a branch."
                .formatted(TableProperties.WRITE_AUDIT_PUBLISH_ENABLED))
        : Finding.ok(check, "Commits need not be staged");
  }
}
