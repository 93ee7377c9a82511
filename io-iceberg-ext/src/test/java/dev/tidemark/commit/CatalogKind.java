package dev.tidemark.commit;

import com.google.common.collect.ImmutableMap;
import java.io.File;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.SessionCatalog;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.RESTCatalogAdapter;

/** The real catalogs that the protocols run against. */
public enum CatalogKind {
  HADOOP {
    @Override
    public Catalog open(File folder) {
      HadoopCatalog catalog = new HadoopCatalog();
      catalog.setConf(new Configuration());
      catalog.initialize(
          "hadoop", Map.of(CatalogProperties.WAREHOUSE_LOCATION, folder.toURI().toString()));
      return catalog;
    }
  },
  JDBC {
    @Override
    public Catalog open(File folder) {
      return jdbc("jdbc", folder);
    }
  },
  REST {
    @Override
    public Catalog open(File folder) {
      RESTCatalogAdapter server = new RESTCatalogAdapter(jdbc("backend", folder));
      RESTCatalog catalog =
          new RESTCatalog(SessionCatalog.SessionContext.createEmpty(), properties -> server);
      catalog.setConf(new Configuration());
      catalog.initialize(
          "rest",
          Map.of(
              CatalogProperties.URI, "http://unused.invalid/",
              CatalogProperties.FILE_IO_IMPL, "org.apache.iceberg.hadoop.HadoopFileIO"));
      return catalog;
    }
  };

  public abstract Catalog open(File folder);

  private static Catalog jdbc(String name, File folder) {
    JdbcCatalog catalog = new JdbcCatalog();
    catalog.setConf(new Configuration());
    catalog.initialize(
        name,
        ImmutableMap.of(
            CatalogProperties.URI,
            "jdbc:sqlite:" + new File(folder, "catalog.db") + "?busy_timeout=60000",
            "jdbc.schema-version",
            "V1",
            CatalogProperties.WAREHOUSE_LOCATION,
            folder.toURI().toString()));
    return catalog;
  }
}
