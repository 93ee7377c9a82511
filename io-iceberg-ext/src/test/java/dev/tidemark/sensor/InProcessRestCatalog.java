package dev.tidemark.sensor;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.catalog.SessionCatalog;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.RESTCatalogAdapter;

/** A REST catalog whose server is in the same process, over a SQLite file named by a property. */
public final class InProcessRestCatalog extends RESTCatalog {
  static final String DATABASE = "backend-database";

  /** For the loader of catalogs. */
  public InProcessRestCatalog() {
    super(
        SessionCatalog.SessionContext.createEmpty(),
        properties -> new RESTCatalogAdapter(backend(properties)));
  }

  private static JdbcCatalog backend(Map<String, String> properties) {
    JdbcCatalog catalog = new JdbcCatalog();
    catalog.setConf(new Configuration());
    catalog.initialize(
        "backend",
        Map.of(
            CatalogProperties.URI,
            properties.get(DATABASE),
            "jdbc.schema-version",
            "V1",
            CatalogProperties.WAREHOUSE_LOCATION,
            properties.get(CatalogProperties.WAREHOUSE_LOCATION)));
    return catalog;
  }
}
