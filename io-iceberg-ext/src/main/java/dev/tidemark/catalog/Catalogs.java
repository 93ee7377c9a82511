package dev.tidemark.catalog;

import com.google.common.collect.ImmutableSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The catalogs of this JVM, one per configuration, open for as long as the JVM lives. */
final class Catalogs {
  private static final ConcurrentMap<CatalogConfig, Catalog> CATALOGS = new ConcurrentHashMap<>();

  private Catalogs() {}

  static Catalog get(CatalogConfig config) {
    Catalog catalog = CATALOGS.get(config);
    return catalog != null ? catalog : CATALOGS.computeIfAbsent(config, Catalogs::open);
  }

  static Table loadTable(CatalogConfig config, TableIdentifier table) {
    Catalog catalog = get(config);
    try {
      return catalog.loadTable(table);
    } catch (RuntimeException e) {
      ImmutableSet<String> secrets = Redaction.secrets(config);
      if (!holdsSecret(e, secrets)) {
        throw e;
      }
      throw new IllegalStateException(
          String.format("Cannot load table %s of %s: see the cause.", table, config),
          scrubbed(e, secrets));
    }
  }

  private static Catalog open(CatalogConfig config) {
    Configuration hadoop = new Configuration();
    config.hadoopConfiguration().forEach(hadoop::set);
    try {
      return CatalogUtil.buildIcebergCatalog(config.name(), config.properties(), hadoop);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot open catalog %s: check its properties, and that its classes are on the class"
                  + " path.",
              config),
          scrubbed(e, Redaction.secrets(config)));
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          String.format(
              "Cannot open catalog %s: %s. Check its properties, and whether it can be reached.",
              config, e.getClass().getSimpleName()),
          scrubbed(e, Redaction.secrets(config)));
    }
  }

  /** The error itself where it holds no secret, else a likeness of its chain that holds none. */
  private static Throwable scrubbed(Throwable error, ImmutableSet<String> secrets) {
    return holdsSecret(error, secrets)
        ? likeness(error, secrets, Collections.newSetFromMap(new IdentityHashMap<>()))
        : error;
  }

  private static boolean holdsSecret(Throwable error, ImmutableSet<String> secrets) {
    return holdsSecret(error, secrets, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static boolean holdsSecret(
      @Nullable Throwable error, ImmutableSet<String> secrets, Set<Throwable> seen) {
    if (error == null || !seen.add(error)) {
      return false;
    }
    String text = error.toString();
    if (!Redaction.scrub(text, secrets).equals(text)
        || holdsSecret(error.getCause(), secrets, seen)) {
      return true;
    }
    for (Throwable suppressed : error.getSuppressed()) {
      if (holdsSecret(suppressed, secrets, seen)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Throwable likeness(
      @Nullable Throwable error, ImmutableSet<String> secrets, Set<Throwable> seen) {
    if (error == null || !seen.add(error)) {
      return null;
    }
    Throwable likeness =
        new RuntimeException(
            Redaction.scrub(error.toString(), secrets), likeness(error.getCause(), secrets, seen));
    likeness.setStackTrace(error.getStackTrace());
    for (Throwable suppressed : error.getSuppressed()) {
      Throwable other = likeness(suppressed, secrets, seen);
      if (other != null) {
        likeness.addSuppressed(other);
      }
    }
    return likeness;
  }
}
