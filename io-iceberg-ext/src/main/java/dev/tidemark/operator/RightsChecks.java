package dev.tidemark.operator;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.io.FileIO;

/** What these credentials may do, probed without harm. */
final class RightsChecks {
  private static final String STORAGE = "storage-rights";
  private static final String CATALOG = "catalog-rights";
  private static final String PROBE = "tidemark.doctor-probe";

  private RightsChecks() {}

  static ImmutableList<Finding> of(TableOperations operations, TableMetadata metadata) {
    return ImmutableList.of(storage(operations), catalog(operations, metadata));
  }

  /** A file of one byte beside the metadata files, which no reader looks at. */
  private static Finding storage(TableOperations operations) {
    FileIO io = operations.io();
    String path = operations.metadataFileLocation("tidemark-probe-" + UUID.randomUUID());
    try (OutputStream out = io.newOutputFile(path).create()) {
      out.write(0);
    } catch (IOException | RuntimeException e) {
      return Finding.warning(
          STORAGE,
          "These credentials cannot write to the metadata folder: " + why(e),
          "Nothing has to be done for readers. A pipeline needs the right to write there.");
    }
    try {
      io.deleteFile(path);
    } catch (RuntimeException e) {
      return Finding.warning(
          STORAGE,
          "These credentials can write and not delete: %s was left behind: %s"
              .formatted(path, why(e)),
          "Remove the file, and grant the right to delete to those who expire snapshots.");
    }
    return Finding.ok(
        STORAGE, "These credentials can write to and delete from the metadata folder");
  }

  /**
   * A commit on a table of another UUID: the catalog checks the right first, and then has to refuse
   * it. Only REST catalogs look at it at all; others compare the base within this process.
   */
  private static Finding catalog(TableOperations operations, TableMetadata metadata) {
    if (!operations.getClass().getName().startsWith("org.apache.iceberg.rest.")) {
      return Finding.info(
          CATALOG,
          "Whether these credentials may commit cannot be told without a commit on this kind of catalog");
    }
    TableMetadata other =
        TableMetadata.buildFrom(metadata)
            .assignUUID(UUID.randomUUID().toString())
            .discardChanges()
            .build();
    TableMetadata change =
        TableMetadata.buildFrom(other).setProperties(Map.of(PROBE, "refuse me")).build();
    try {
      operations.commit(other, change);
    } catch (CommitFailedException e) {
      return Finding.ok(CATALOG, "These credentials may commit, properties included");
    } catch (ForbiddenException | NotAuthorizedException e) {
      return Finding.warning(
          CATALOG,
          "These credentials may not commit: " + why(e),
          "Nothing has to be done for readers. A pipeline needs the rights to commit and to set properties.");
    } catch (RuntimeException e) {
      return Finding.warning(
          CATALOG,
          "Whether these credentials may commit is not known: " + why(e),
          "Try again, and check the catalog.");
    }
    return Finding.error(
        CATALOG,
        "The catalog took a commit for a table of another UUID, so it does not compare what it must",
        "Remove property %s, and ask the maker of the catalog.".formatted(PROBE));
  }

  private static String why(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
