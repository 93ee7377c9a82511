package dev.tidemark.operator;

import com.google.common.collect.ImmutableList;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.TidemarkKeys;
import java.time.Clock;
import java.time.Duration;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Examines a table: rights, fence, watermark, keys, writers, and the settings that wear evidence
 * away.
 *
 * <p>It changes nothing that anybody could notice: one small file is written to the metadata folder
 * and removed again, and a REST catalog is sent one commit that it has to refuse.
 */
public final class Doctor {
  private static final Duration SILENT_AFTER = Duration.ofHours(1);

  private final CatalogConfig catalog;
  private final TableIdentifier table;
  private final TidemarkKeys keys;
  private final Clock clock;
  private final Duration silentAfter;

  private Doctor(
      CatalogConfig catalog,
      TableIdentifier table,
      TidemarkKeys keys,
      Clock clock,
      Duration silentAfter) {
    this.catalog = catalog;
    this.table = table;
    this.keys = keys;
    this.clock = clock;
    this.silentAfter = silentAfter;
  }

  /** A doctor for the main branch of a table. */
  public static Doctor of(CatalogConfig catalog, TableIdentifier table) {
    return new Doctor(catalog, table, TidemarkKeys.main(), Clock.systemUTC(), SILENT_AFTER);
  }

  /**
   * A doctor for another branch.
   *
   * @throws IllegalArgumentException if it cannot be the name of a branch with a watermark
   */
  public Doctor branch(String branch) {
    return new Doctor(catalog, table, TidemarkKeys.forBranch(branch), clock, silentAfter);
  }

  /** A doctor with another clock. */
  public Doctor withClock(Clock other) {
    return new Doctor(catalog, table, keys, other, silentAfter);
  }

  /** A doctor who finds a writer silent that was not heard of for this long; an hour by default. */
  public Doctor withSilentAfter(Duration duration) {
    return new Doctor(catalog, table, keys, clock, duration);
  }

  /**
   * Examines the table.
   *
   * @return what was found, by check; at least one finding for each
   * @throws OperatorException if the table cannot be loaded
   */
  public ImmutableList<Finding> examine() {
    Table loaded = Access.to(catalog, table, config -> config.loadTable(table));
    if (!(loaded instanceof HasTableOperations operable)) {
      throw new IllegalArgumentException(
          "Cannot examine table %s: %s does not give access to its metadata. Use a plain catalog table."
              .formatted(table, loaded.getClass().getName()));
    }
    TableOperations operations = operable.operations();
    TableMetadata metadata = operations.current();
    ImmutableList.Builder<Finding> findings = ImmutableList.builder();
    findings.addAll(RightsChecks.of(operations, metadata));
    findings.addAll(TableChecks.of(operations, metadata, keys));
    findings.addAll(KeyChecks.of(metadata, keys));
    Base base = base(metadata);
    if (base != null) {
      findings.addAll(WatermarkChecks.of(base, clock.instant()));
      findings.addAll(RetentionChecks.of(base));
      findings.addAll(WriterChecks.of(base, clock.instant(), silentAfter));
    }
    return findings.build();
  }

  /** Null where the watermark cannot be read, which the checks of keys have found. */
  private @Nullable Base base(TableMetadata metadata) {
    try {
      return Base.of(table, metadata, keys.branch());
    } catch (OperatorException e) {
      if (metadata.ref(keys.branch()) == null && !keys.branch().equals(TidemarkKeys.MAIN)) {
        throw e;
      }
      return null;
    }
  }
}
