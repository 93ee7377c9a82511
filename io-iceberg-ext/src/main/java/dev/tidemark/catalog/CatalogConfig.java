package dev.tidemark.catalog;

import com.google.auto.value.AutoValue;
import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableMap;
import java.io.Serializable;
import java.util.Map;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.display.HasDisplayData;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Where a table's catalog is and how it is reached: a value that travels with a pipeline.
 *
 * <p>{@link #toString}, display data and the messages of errors never show a secret: they hold the
 * values of {@code type}, {@code catalog-impl}, {@code io-impl}, {@code warehouse} and {@code uri}
 * (without user information and query) and the mere keys of everything else. The serialized form
 * does hold the values, since workers need them.
 *
 * <p>The properties are those of Iceberg: {@code type} ({@code hadoop}, {@code jdbc}, {@code rest},
 * {@code hive}, ...) or {@code catalog-impl}, and what that catalog asks for.
 */
@AutoValue
public abstract class CatalogConfig implements Serializable, HasDisplayData {
  /** The catalog's name, as it appears in table names and logs. */
  public abstract String name();

  /** The catalog's properties. Treat as secret. */
  public abstract ImmutableMap<String, String> properties();

  /** Entries set on top of the Hadoop configuration found on the class path. Treat as secret. */
  public abstract ImmutableMap<String, String> hadoopConfiguration();

  /** A configuration without Hadoop overrides. */
  public static CatalogConfig of(String name, Map<String, String> properties) {
    Preconditions.checkArgument(!name.isEmpty(), "Invalid catalog name: empty (must be a name)");
    return new AutoValue_CatalogConfig(name, ImmutableMap.copyOf(properties), ImmutableMap.of());
  }

  /** Entries to set on the Hadoop configuration; replaces what was given before. Default: none. */
  public CatalogConfig withHadoopConfiguration(Map<String, String> entries) {
    return new AutoValue_CatalogConfig(name(), properties(), ImmutableMap.copyOf(entries));
  }

  /**
   * The catalog of this configuration. Equal configurations share one catalog per JVM; it is never
   * closed by callers.
   *
   * @throws IllegalArgumentException when the catalog cannot be made from these properties
   * @throws IllegalStateException when the catalog could not be reached; trying again may help
   */
  public Catalog catalog() {
    return Catalogs.get(this);
  }

  /** Loads a table from {@link #catalog}, always fresh. */
  public Table loadTable(TableIdentifier table) {
    return Catalogs.loadTable(this, table);
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    builder.add(DisplayData.item("catalogName", name()).withLabel("Catalog Name"));
    builder.add(
        DisplayData.item("catalogProperties", Redaction.describe(properties()))
            .withLabel("Catalog Properties (redacted)"));
  }

  @Override
  public final String toString() {
    return "CatalogConfig{name="
        + name()
        + ", properties="
        + Redaction.describe(properties())
        + ", hadoopConfiguration="
        + Redaction.describe(hadoopConfiguration())
        + "}";
  }
}
