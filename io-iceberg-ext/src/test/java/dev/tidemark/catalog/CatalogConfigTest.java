package dev.tidemark.catalog;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.instanceOf;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.sameInstance;
import static org.junit.Assert.assertThrows;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.types.Types;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class CatalogConfigTest {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));
  private static final TableIdentifier TABLE = TableIdentifier.of("db", "t");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void hadoopCatalogLoadsTables() {
    CatalogConfig config =
        CatalogConfig.of("h", Map.of("type", "hadoop", "warehouse", folder.getRoot().getPath()));

    assertThat(config.catalog(), instanceOf(HadoopCatalog.class));
    assertLoads(config);
  }

  @Test
  public void jdbcCatalogLoadsTables() {
    CatalogConfig config =
        CatalogConfig.of(
            "j",
            Map.of(
                "type",
                "jdbc",
                "uri",
                "jdbc:sqlite:" + folder.getRoot().getPath() + "/catalog.db",
                "jdbc.schema-version",
                "V1",
                "warehouse",
                folder.getRoot().getPath()));

    assertThat(config.catalog(), instanceOf(JdbcCatalog.class));
    assertLoads(config);
  }

  @Test
  public void customCatalogLoadsTables() {
    CatalogConfig config =
        CatalogConfig.of(
            "m", Map.of("catalog-impl", InMemoryCatalog.class.getName(), "run", name()));

    assertThat(config.catalog(), instanceOf(InMemoryCatalog.class));
    assertLoads(config);
  }

  @Test
  public void restCatalogGetsItsProperties() throws IOException {
    List<String> authorizations = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/",
        exchange -> {
          authorizations.add(exchange.getRequestHeaders().getFirst("Authorization"));
          String body =
              exchange.getRequestURI().getPath().endsWith("/config")
                  ? "{\"defaults\":{},\"overrides\":{}}"
                  : "{\"namespaces\":[[\"db\"]]}";
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    try {
      CatalogConfig config =
          CatalogConfig.of(
              "r",
              Map.of(
                  "type", "rest",
                  "uri", "http://localhost:" + server.getAddress().getPort(),
                  "token", "t0ken"));

      assertThat(config.catalog(), instanceOf(RESTCatalog.class));
      assertThat(
          ((SupportsNamespaces) config.catalog()).listNamespaces(),
          equalTo(List.of(Namespace.of("db"))));
      assertThat(authorizations.get(authorizations.size() - 1), equalTo("Bearer t0ken"));
    } finally {
      server.stop(0);
    }
  }

  @Test
  public void equalConfigurationsShareOneCatalog() {
    Map<String, String> properties =
        Map.of("type", "hadoop", "warehouse", folder.getRoot().getPath());
    CatalogConfig one = CatalogConfig.of("c", properties);
    CatalogConfig other = SerializableUtils.clone(CatalogConfig.of("c", properties));

    assertThat(other.catalog(), sameInstance(one.catalog()));
  }

  @Test
  public void configurationsOfOneNameDoNotShare() throws IOException {
    CatalogConfig one = hadoop(folder.newFolder().getPath());
    CatalogConfig other = hadoop(folder.newFolder().getPath());
    one.catalog().createTable(TABLE, SCHEMA);

    assertThat(other.catalog().tableExists(TABLE), is(false));
  }

  @Test
  public void hadoopOverridesReachTheCatalog() {
    CatalogConfig config =
        hadoop(folder.getRoot().getPath()).withHadoopConfiguration(Map.of("tidemark.probe", "yes"));

    assertThat(((HadoopCatalog) config.catalog()).getConf().get("tidemark.probe"), equalTo("yes"));
  }

  @Test
  public void secretsAreInNeitherStringNorDisplayData() {
    CatalogConfig config =
        CatalogConfig.of(
                "rest",
                Map.of(
                    "type", "rest",
                    "uri", "https://scott:tiger@host:8181/api?access_key=sesame#frag",
                    "warehouse", "s3://AKIA:wJalr/XUt@bucket/path",
                    "credential", "client:hunter2",
                    "s3.secret-access-key", "swordfish",
                    "header.Authorization", "Bearer xyzzy"))
            .withHadoopConfiguration(Map.of("fs.s3a.secret.key", "plugh"));

    for (String text : List.of(config.toString(), DisplayData.from(config).toString())) {
      for (String secret :
          List.of("tiger", "scott", "sesame", "AKIA", "wJalr", "hunter2", "swordfish", "xyzzy")) {
        assertThat(text, not(containsString(secret)));
      }
      assertThat(text, not(containsString("plugh")));
      assertThat(text, containsString("type=rest"));
      assertThat(text, containsString("uri=https://***@host:8181/api"));
      assertThat(text, containsString("warehouse=s3://***@bucket/path"));
      assertThat(text, containsString("credential=***"));
    }
  }

  @Test
  public void jdbcLocationsHideTheirParameters() {
    assertThat(
        Redaction.location("jdbc:postgresql://h:5432/db?user=u&password=p@ss"),
        equalTo("jdbc:postgresql://***"));
    assertThat(
        Redaction.location("jdbc:postgresql://h:5432/db?user=u&password=pw"),
        equalTo("jdbc:postgresql://h:5432/db"));
    assertThat(
        Redaction.location("jdbc:sqlserver://h:1433;user=u;password=pw"),
        equalTo("jdbc:sqlserver://h:1433"));
    assertThat(
        Redaction.location("jdbc:oracle:thin:scott/tiger@h:1521/x"), equalTo("jdbc:***@h:1521/x"));
  }

  @Test
  public void errorsHoldNoSecret() {
    CatalogConfig config =
        CatalogConfig.of(
            "broken",
            Map.of(
                "type", "jdbc",
                "uri", "jdbc:nosuch://scott:tiger@host/db?password=sesame",
                "jdbc.password", "swordfish",
                "warehouse", "file:/tmp"));

    IllegalStateException e = assertThrows(IllegalStateException.class, config::catalog);

    StringWriter trace = new StringWriter();
    e.printStackTrace(new PrintWriter(trace));
    for (String secret : List.of("tiger", "sesame", "swordfish")) {
      assertThat(trace.toString(), not(containsString(secret)));
    }
    assertThat(e.getMessage(), containsString("Cannot open catalog CatalogConfig{name=broken"));
    assertThat(trace.toString(), containsString("No suitable driver"));
  }

  @Test
  public void unknownClassIsNamed() {
    CatalogConfig config = CatalogConfig.of("x", Map.of("catalog-impl", "no.such.Catalog"));

    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, config::catalog);

    assertThat(e.getMessage(), containsString("no.such.Catalog"));
  }

  private CatalogConfig hadoop(String warehouse) {
    return CatalogConfig.of("same", Map.of("type", "hadoop", "warehouse", warehouse));
  }

  private String name() {
    return folder.getRoot().getName();
  }

  private static void assertLoads(CatalogConfig config) {
    ((SupportsNamespaces) config.catalog()).createNamespace(Namespace.of("db"));
    config.catalog().createTable(TABLE, SCHEMA);

    Table loaded = config.loadTable(TABLE);

    assertThat(loaded.schema().sameSchema(SCHEMA), is(true));
  }
}
