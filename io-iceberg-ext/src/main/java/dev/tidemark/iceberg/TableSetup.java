package dev.tidemark.iceberg;

import com.google.common.base.Joiner;
import com.google.common.util.concurrent.Striped;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.datafile.MissingColumn;
import dev.tidemark.datafile.RowSchemas;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads tables for writing: creates missing ones and adds columns, where that is asked for. */
final class TableSetup implements Serializable {
  private static final Logger LOG = LoggerFactory.getLogger(TableSetup.class);
  private static final int EVOLVE_TRIES = 5;
  private static final Striped<Lock> CREATIONS = Striped.lock(64);

  private final ValueProvider<CatalogConfig> catalog;
  private final Schema rowSchema;
  private final @Nullable TableCreation creation;
  private final AddedColumns addedColumns;

  TableSetup(
      ValueProvider<CatalogConfig> catalog,
      Schema rowSchema,
      @Nullable TableCreation creation,
      AddedColumns addedColumns) {
    this.catalog = catalog;
    this.rowSchema = rowSchema;
    this.creation = creation;
    this.addedColumns = addedColumns;
  }

  /**
   * Checks that rows can be written, without changing anything.
   *
   * @throws IllegalArgumentException with the remedy, if not
   */
  void check(String name) {
    TableIdentifier id = TableIdentifier.parse(name);
    if (!exists(id)) {
      if (creation == null) {
        throw missing(name, null);
      }
      creation.spec(RowSchemas.toIceberg(rowSchema));
      return;
    }
    Table table = catalog.get().loadTable(id);
    if (addedColumns == AddedColumns.EVOLVE) {
      UpdateSchema update = table.updateSchema();
      RowSchemas.missingColumns(rowSchema, table.schema()).forEach(column -> column.addTo(update));
      RowSchemas.bind(rowSchema, update.apply());
    } else {
      refuseMissingColumns(name, table);
    }
  }

  private boolean exists(TableIdentifier id) {
    try {
      return catalog.get().catalog().tableExists(id);
    } catch (NoSuchNamespaceException e) {
      return false;
    }
  }

  /**
   * Loads a table to write to.
   *
   * @throws IllegalArgumentException if it is missing or does not take the rows
   */
  Table open(String name) {
    TableIdentifier id = TableIdentifier.parse(name);
    Table table = loadOrCreate(id, name);
    if (addedColumns == AddedColumns.EVOLVE) {
      evolve(table);
    } else {
      refuseMissingColumns(name, table);
    }
    return table;
  }

  private Table loadOrCreate(TableIdentifier id, String name) {
    try {
      return catalog.get().loadTable(id);
    } catch (NoSuchTableException | NoSuchNamespaceException e) {
      if (creation == null) {
        throw missing(name, e);
      }
    }
    // Tasks of one process wait for each other instead of colliding in the catalog.
    Lock lock = CREATIONS.get(id);
    lock.lock();
    try {
      return exists(id) ? catalog.get().loadTable(id) : create(id);
    } finally {
      lock.unlock();
    }
  }

  private Table create(TableIdentifier id) {
    Catalog live = catalog.get().catalog();
    if (live instanceof SupportsNamespaces namespaces
        && !id.namespace().isEmpty()
        && !namespaces.namespaceExists(id.namespace())) {
      try {
        namespaces.createNamespace(id.namespace());
      } catch (AlreadyExistsException e) {
        LOG.debug("Another writer created namespace {}", id.namespace(), e);
      }
    }
    org.apache.iceberg.Schema schema = RowSchemas.toIceberg(rowSchema);
    try {
      Table table =
          live.buildTable(id, schema)
              .withPartitionSpec(creation.spec(schema))
              .withProperties(creation.allProperties(live))
              .withLocation(creation.location())
              .create();
      LOG.info("Created table {} partitioned by {}", id, table.spec());
      return table;
    } catch (AlreadyExistsException e) {
      LOG.debug("Another writer created table {}", id, e);
      return live.loadTable(id);
    }
  }

  private void evolve(Table table) {
    for (int tries = 1; ; tries++) {
      List<MissingColumn> missing = RowSchemas.missingColumns(rowSchema, table.schema());
      if (missing.isEmpty()) {
        return;
      }
      UpdateSchema update = table.updateSchema();
      missing.forEach(column -> column.addTo(update));
      try {
        update.commit();
        LOG.info("Added columns {} to table {}", names(missing), table.name());
      } catch (CommitFailedException | IllegalArgumentException e) {
        if (tries == EVOLVE_TRIES) {
          throw e;
        }
        LOG.debug("Another writer changed table {}", table.name(), e);
        table.refresh();
      }
    }
  }

  private void refuseMissingColumns(String name, Table table) {
    List<MissingColumn> missing = RowSchemas.missingColumns(rowSchema, table.schema());
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot write to table %s: it has no column %s. Add the columns to the table, drop them"
                  + " from the rows, or use withAddedColumns(AddedColumns.EVOLVE). The table has %s",
              name,
              names(missing),
              table.schema().columns().stream().map(column -> column.name()).toList()));
    }
    RowSchemas.bind(rowSchema, table.schema());
  }

  private static String names(List<MissingColumn> missing) {
    return Joiner.on(", ")
        .join(
            missing.stream()
                .map(
                    column ->
                        column.parent() == null
                            ? column.name()
                            : column.parent() + "." + column.name())
                .toList());
  }

  private static IllegalArgumentException missing(String name, @Nullable Exception cause) {
    return new IllegalArgumentException(
        String.format(
            "Cannot write to table %s: it does not exist. Create it, correct the name, or use"
                + " withTableCreation",
            name),
        cause);
  }
}
