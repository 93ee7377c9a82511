package dev.tidemark.operator;

import dev.tidemark.catalog.CatalogConfig;
import java.util.function.Function;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.RESTException;

/** Says in one sentence why a table cannot be got at. */
final class Access {
  private Access() {}

  static <T> T to(CatalogConfig catalog, TableIdentifier table, Function<CatalogConfig, T> get) {
    try {
      return get.apply(catalog);
    } catch (NoSuchTableException | NoSuchNamespaceException e) {
      throw failure(
          OperatorException.Kind.TABLE_MISSING,
          table,
          "there is no such table. Check catalog, namespace and name.",
          e);
    } catch (ForbiddenException | NotAuthorizedException e) {
      throw failure(
          OperatorException.Kind.FORBIDDEN,
          table,
          e.getMessage() + ". Check credentials and grants.",
          e);
    } catch (IllegalArgumentException e) {
      throw new OperatorException(
          OperatorException.Kind.CATALOG_UNUSABLE, String.valueOf(e.getMessage()), e);
    } catch (IllegalStateException | RESTException e) {
      throw failure(
          OperatorException.Kind.UNAVAILABLE,
          table,
          e.getMessage() + ". Try again, and check catalog and storage.",
          e);
    }
  }

  private static OperatorException failure(
      OperatorException.Kind kind, TableIdentifier table, String why, RuntimeException cause) {
    return new OperatorException(kind, "Cannot reach table %s: %s".formatted(table, why), cause);
  }
}
