package dev.tidemark.sensor;

import dev.tidemark.catalog.CatalogConfig;
import java.util.function.Supplier;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.io.FileIO;

/** Where the metadata of a table comes from. */
abstract class TableSource {
  /** One metadata version, and what its files are read with. */
  record Version(TableMetadata metadata, FileIO io) {}

  /** The name of the table, for messages. */
  abstract String name();

  /** The version in hand; the newest one where there is none in hand. */
  abstract Version current();

  /** The newest version. */
  abstract Version newest();

  /** The version that a table object has in hand. */
  static TableSource of(Table table) {
    if (!(table instanceof HasTableOperations operable)) {
      throw new IllegalArgumentException(
          "Cannot read the watermark of table %s: %s does not give access to its metadata. Use a plain catalog table."
              .formatted(table.name(), table.getClass().getName()));
    }
    return new InHand(table, operable);
  }

  /** A table that is loaded anew for each question. */
  static TableSource of(CatalogConfig catalog, TableIdentifier identifier) {
    return new Loading(catalog, identifier);
  }

  /** Reads, and says of an error whether asking again may help. */
  final <T> T reading(Supplier<T> read) {
    try {
      return read.get();
    } catch (NoSuchTableException | NoSuchNamespaceException e) {
      throw new FinalizationException(
          FinalizationException.Kind.TABLE_MISSING,
          "Cannot read table %s: there is no such table. Check catalog, namespace and name."
              .formatted(name()),
          e);
    } catch (ForbiddenException | NotAuthorizedException e) {
      throw new FinalizationException(
          FinalizationException.Kind.FORBIDDEN,
          "Cannot read table %s: %s. Check credentials and grants."
              .formatted(name(), e.getMessage()),
          e);
    } catch (IllegalArgumentException | UnsupportedOperationException | FinalizationException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new FinalizationException(
          FinalizationException.Kind.UNAVAILABLE,
          "Cannot read table %s: %s. Try again, and check catalog and storage."
              .formatted(name(), e.getMessage() == null ? e.getClass().getName() : e.getMessage()),
          e);
    }
  }

  private static final class InHand extends TableSource {
    private final Table table;
    private final HasTableOperations operable;

    InHand(Table table, HasTableOperations operable) {
      this.table = table;
      this.operable = operable;
    }

    @Override
    String name() {
      return table.name();
    }

    @Override
    Version current() {
      return reading(
          () -> {
            TableOperations operations = operable.operations();
            return new Version(operations.current(), operations.io());
          });
    }

    @Override
    Version newest() {
      return reading(
          () -> {
            table.refresh();
            return current();
          });
    }
  }

  private static final class Loading extends TableSource {
    private final CatalogConfig catalog;
    private final TableIdentifier identifier;

    Loading(CatalogConfig catalog, TableIdentifier identifier) {
      this.catalog = catalog;
      this.identifier = identifier;
    }

    @Override
    String name() {
      return identifier.toString();
    }

    @Override
    Version current() {
      return reading(() -> of(load()).current());
    }

    @Override
    Version newest() {
      return current();
    }

    private Table load() {
      try {
        return catalog.loadTable(identifier);
      } catch (IllegalArgumentException e) {
        throw new FinalizationException(
            FinalizationException.Kind.CATALOG_UNUSABLE, String.valueOf(e.getMessage()), e);
      }
    }
  }
}
