package dev.tidemark.servers;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/**
 * Iceberg's own REST catalog over a JDBC catalog on SQLite. As its {@code RESTCatalogServer}, which
 * listens on all addresses of the machine; this one listens on loopback only.
 */
public final class RestCatalog {
  private RestCatalog() {}

  /**
   * Serves until the process is stopped; prints {@code listening PORT} when it does.
   *
   * @param args file of the database, folder of the warehouse
   */
  public static void main(String[] args) throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put("catalog-impl", "org.apache.iceberg.jdbc.JdbcCatalog");
    properties.put("uri", "jdbc:sqlite:" + args[0]);
    properties.put("warehouse", args[1]);
    properties.put("jdbc.schema-version", "V1");
    // Two connections to one file refuse each other's writes.
    properties.put("clients", "1");
    RESTCatalogServlet servlet =
        new RESTCatalogServlet(
            new RESTCatalogAdapter(
                CatalogUtil.buildIcebergCatalog("rest", properties, new Configuration())));
    ServletContextHandler context = new ServletContextHandler(ServletContextHandler.NO_SESSIONS);
    context.addServlet(new ServletHolder(servlet), "/*");
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(context);
    server.start();
    System.out.println("listening " + connector.getLocalPort());
    server.join();
  }
}
