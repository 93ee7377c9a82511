package dev.tidemark.iceberg;

import dev.tidemark.catalog.CatalogConfig;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.ServiceUnavailableException;
import org.apache.iceberg.inmemory.InMemoryCatalog;

/** An in-memory catalog that fails for some tables as long as a test wants it to. */
public final class FaultyCatalog extends InMemoryCatalog {
  private static final Map<String, Supplier<RuntimeException>> FAULTS = new ConcurrentHashMap<>();

  /** A new catalog with the namespace {@code db}. */
  static CatalogConfig config() {
    FAULTS.clear();
    CatalogConfig config =
        CatalogConfig.of(
            "faulty",
            Map.of(
                "catalog-impl",
                FaultyCatalog.class.getName(),
                "run",
                UUID.randomUUID().toString()));
    ((InMemoryCatalog) config.catalog()).createNamespace(Namespace.of("db"));
    return config;
  }

  static void forbid(String table) {
    FAULTS.put(table, () -> new ForbiddenException("The grant on %s was revoked", table));
  }

  static void cutOff(Set<String> tables) {
    tables.forEach(
        table -> FAULTS.put(table, () -> new ServiceUnavailableException("Try again later")));
  }

  static void mend() {
    FAULTS.clear();
  }

  @Override
  public Table loadTable(TableIdentifier table) {
    Supplier<RuntimeException> fault = FAULTS.get(table.toString());
    if (fault != null) {
      throw fault.get();
    }
    return super.loadTable(table);
  }
}
