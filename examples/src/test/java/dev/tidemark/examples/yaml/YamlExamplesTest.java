package dev.tidemark.examples.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.examples.cdc.EventLine;
import dev.tidemark.examples.cluster.KafkaProcess;
import dev.tidemark.examples.demo.ServingTables;
import dev.tidemark.examples.demo.ShopFiles;
import dev.tidemark.examples.demo.TruthCheck;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.flink.testing.EmbeddedFlink;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.schemas.transforms.SchemaTransformProvider;
import org.apache.flink.api.common.JobID;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;
import org.yaml.snakeyaml.Yaml;

/**
 * The examples in Beam YAML, on the direct runner and on Flink's, against what the source's
 * database held in the end.
 */
@RunWith(JUnit4.class)
public class YamlExamplesTest {
  private static final Path EXAMPLES = Path.of("yaml");
  private static final String PROVIDERS = EXAMPLES.resolve("providers.yaml").toString();

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void ordersAreInTheirChangeTable() throws Exception {
    for (String runner : List.of("DirectRunner", "FlinkRunner")) {
      Path root = folder.newFolder().toPath();
      State state =
          run(
              "orders-to-iceberg.yaml",
              runner,
              Map.of(
                  "events", eventsOf("pg.shop.orders", root),
                  "warehouse", root.resolve("warehouse").toString()));

      assertThat(runner, state, is(State.DONE));
      Table table = table(root, "orders");
      TruthCheck.Result result =
          TruthCheck.of(List.of("order_id", "region"), ShopFiles.finalRows("orders"))
              .compareChanges(table);
      assertThat(runner, result.differences(), is(empty()));
      Map<String, String> summary = table.currentSnapshot().summary();
      assertThat(runner, summary.get("tidemark.writer"), is("orders-yaml"));
      assertThat(runner, Long.parseLong(summary.get("tidemark.event-time.count")), greaterThan(0L));
      assertThat(runner, Long.parseLong(summary.get("tidemark.acc.kind.insert")), greaterThan(0L));
    }
  }

  @Test
  public void ordersAreMergedIntoTheirBaseTable() throws Exception {
    Path root = folder.newFolder().toPath();
    Map<String, String> variables =
        Map.of(
            "events", eventsOf("pg.shop.orders", root),
            "warehouse", root.resolve("warehouse").toString());
    run("orders-to-iceberg.yaml", "DirectRunner", variables);
    List<NestedField> columns =
        table(root, "orders").schema().columns().stream()
            .filter(column -> !column.name().startsWith("_"))
            .toList();
    catalog(root)
        .catalog()
        .createTable(TableIdentifier.of("shop", "orders_now"), new Schema(columns));

    for (String runner : List.of("FlinkRunner", "DirectRunner")) {
      assertThat(run("merge-orders.yaml", runner, variables), is(State.DONE));

      List<Map<String, Object>> rows = new ArrayList<>();
      Table base = table(root, "orders_now");
      try (CloseableIterable<Record> records = IcebergGenerics.read(base).build()) {
        for (Record record : records) {
          Map<String, Object> row = new HashMap<>();
          columns.forEach(column -> row.put(column.name(), record.getField(column.name())));
          rows.add(row);
        }
      }
      assertThat(
          runner,
          TruthCheck.of(List.of("order_id", "region"), ShopFiles.finalRows("orders"))
              .compareRows(rows)
              .differences(),
          is(empty()));
    }
  }

  @Test
  public void customersAreServedByDoris() throws Exception {
    for (String runner : List.of("DirectRunner", "FlinkRunner")) {
      Path root = folder.newFolder().toPath();
      Path password = Files.writeString(root.resolve("password"), ServingTables.PASSWORD + "\n");
      try (DorisEmulator doris = ServingTables.start()) {
        State state =
            run(
                "customers-to-doris.yaml",
                runner,
                Map.of(
                    "events", eventsOf("pg.shop.customers", root),
                    "frontend", doris.frontend(),
                    "user", ServingTables.USER,
                    "password_file", password.toString()));

        assertThat(runner, state, is(State.DONE));
        assertThat(
            runner,
            TruthCheck.of(List.of("id"), ShopFiles.finalRows("customers"))
                .compareRows(doris.rows(ServingTables.DATABASE, "customers"))
                .differences(),
            is(empty()));
      }
    }
  }

  @Test
  public void orderItemsStreamFromKafka() throws Exception {
    Path root = folder.newFolder().toPath();
    try (KafkaProcess kafka = KafkaProcess.start(root.resolve("kafka"));
        EmbeddedFlink flink = EmbeddedFlink.start()) {
      kafka.createTopics(Set.of("pg.shop.order_items"), 2);
      TidemarkFlinkOptions cluster = flink.options(2, 500);
      List<String> args =
          new ArrayList<>(
              arguments(
                  "kafka-to-iceberg.yaml",
                  "FlinkRunner",
                  Map.of(
                      "servers", kafka.bootstrapServers(),
                      "warehouse", root.resolve("warehouse").toString())));
      args.addAll(
          List.of(
              "--checkpointingInterval=500",
              "--parallelism=2",
              "--flinkMaster=" + cluster.getFlinkMaster(),
              "--filesToStage=" + cluster.getFilesToStage().get(0),
              "--attachedMode=false",
              "--experiments=use_deprecated_read"));
      JobID job = flink.submit(YamlPipeline.of(args.toArray(new String[0])));
      send(kafka, "pg.shop.order_items");
      flink.awaitCondition(job, () -> differences(root).isEmpty(), 120);
      flink.cancel(job);
      assertThat(differences(root), is(empty()));
    }
  }

  private static List<String> differences(Path root) {
    CatalogConfig catalog = catalog(root);
    TableIdentifier name = TableIdentifier.of("shop", "order_items");
    return catalog.catalog().tableExists(name)
        ? TruthCheck.of(List.of("order_id", "line_no"), ShopFiles.finalRows("order_items"))
            .compareChanges(catalog.loadTable(name))
            .differences()
        : List.of("no table yet");
  }

  /** What Beam documents: a list of providers with type, config and transforms. */
  @Test
  public void listingOfProvidersHasEveryTransform() throws Exception {
    List<Map<String, Object>> listing = new Yaml().load(Files.readString(Path.of(PROVIDERS)));
    Set<String> listed = new TreeSet<>();
    for (Map<String, Object> provider : listing) {
      assertThat(provider.keySet(), is(Set.of("type", "config", "transforms")));
      assertThat(provider.get("type"), is("javaJar"));
      assertThat(
          ((Map<?, ?>) provider.get("config")).get("jar").toString(), containsString(".jar"));
      ((Map<?, ?>) provider.get("transforms")).values().forEach(urn -> listed.add((String) urn));
    }
    Set<String> there = new TreeSet<>();
    ServiceLoader.load(SchemaTransformProvider.class)
        .forEach(provider -> there.add(provider.identifier()));
    there.removeIf(urn -> !urn.contains(":dev.tidemark:"));
    assertThat(listed, is(there));
  }

  @Test
  public void passwordsDoNotStandInExamples() throws Exception {
    try (var files = Files.list(EXAMPLES)) {
      for (Path file : files.toList()) {
        assertThat(
            file.toString(),
            Files.readAllLines(file).stream()
                .filter(line -> line.strip().startsWith("password:"))
                .filter(line -> !line.contains("${"))
                .toList(),
            is(empty()));
      }
    }
  }

  private static State run(String file, String runner, Map<String, String> variables)
      throws Exception {
    List<String> args = new ArrayList<>(arguments(file, runner, variables));
    if (runner.equals("FlinkRunner")) {
      args.add("--flinkMaster=[local]");
      args.add("--parallelism=2");
    }
    return YamlPipeline.of(args.toArray(new String[0])).run().waitUntilFinish();
  }

  private static List<String> arguments(String file, String runner, Map<String, String> variables)
      throws IOException {
    Map<String, String> all = new HashMap<>(variables);
    all.put("providers", PROVIDERS);
    return List.of(
        "--yaml_pipeline_file=" + EXAMPLES.resolve(file),
        "--jinja_variables=" + new ObjectMapper().writeValueAsString(all),
        "--runner=" + runner);
  }

  private static CatalogConfig catalog(Path root) {
    return CatalogConfig.of(
        "lake", Map.of("type", "hadoop", "warehouse", root.resolve("warehouse").toString()));
  }

  private static Table table(Path root, String name) {
    return catalog(root).loadTable(TableIdentifier.of("shop", name));
  }

  /** The values of a topic's records, a line for each. */
  private static String eventsOf(String topic, Path root) throws IOException {
    List<String> values = new ArrayList<>();
    for (DebeziumRecord record : records(topic, root)) {
      if (record.value() != null) {
        values.add(record.value());
      }
    }
    return Files.write(root.resolve(topic + ".jsonl"), values).toString();
  }

  private static List<DebeziumRecord> records(String topic, Path root) throws IOException {
    List<DebeziumRecord> records = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    Files.newInputStream(ShopFiles.write(root.resolve("shop")).events())),
                UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        DebeziumRecord record = EventLine.parse(line).record();
        if (record.topic().equals(topic)) {
          records.add(record);
        }
      }
    }
    return records;
  }

  /** Without tombstones, which Beam's ReadFromKafka cannot read. */
  private void send(KafkaProcess kafka, String topic) throws Exception {
    Map<String, Object> config =
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    try (Producer<String, String> producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (DebeziumRecord record : records(topic, folder.newFolder().toPath())) {
        if (record.value() != null) {
          sent.add(producer.send(new ProducerRecord<>(topic, record.key(), record.value())));
        }
      }
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
    }
  }

  // What is not understood.

  @Test
  public void documentThatIsNotUnderstoodIsRefusedByName() {
    assertRefused(
        "pipeline: {type: loop}",
        "Invalid pipeline: type loop is not understood (must be chain or composite)");
    assertRefused(
        "pipeline: {windowing: {type: fixed}}",
        "Cannot understand pipeline: it has 'windowing'; understood are [type, source, transforms,"
            + " sink]");
    assertRefused(
        "pipeline: {transforms: [{type: Create, windowing: {}}]}",
        "Cannot understand transform Create: it has 'windowing'; understood are [type, name, input,"
            + " config]");
    assertRefused(
        "pipeline: {type: chain, transforms: [{type: Flatten, input: A}]}",
        "Invalid transform Flatten: within a chain it has the input of the one before. Remove input");
    assertRefused(
        "pipeline: {transforms: [{type: LogForTesting, input: A}]}",
        "Cannot find transform A. There are [LogForTesting]");
    assertRefused(
        "pipeline: {transforms: [{type: Flatten, name: A, input: B}, {type: Flatten, name: B, input: A}]}",
        "Invalid pipeline: transforms [A, B] are in a circle");
    assertRefused(
        "pipeline: {transforms: [{type: Create, name: A, config: {elements: [{a: 1}]}}, {type: Flatten,"
            + " name: A}]}",
        "Invalid pipeline: there are two transforms of name A. Give each a name of its own");
    assertRefused(
        "providers: [{type: pythonPackage}]",
        "Cannot understand a provider of type pythonPackage (must be javaJar)");
    assertRefused(
        "providers: [{type: javaJar, config: {jar: a.jar}, transforms: {Mine: 'beam:mine'}}]",
        "Cannot find transform Mine: nothing on the class path has the URN beam:mine. Put its jar"
            + " there");
    assertRefused(
        "pipeline: {type: '{{ kind }}'}", "Missing variable: kind. Give it in --jinja_variables");
  }

  @Test
  public void configThatDoesNotFitIsRefusedWithItsField() {
    String create = "{type: Create, name: A, config: {elements: [{a: 1, b: x}]}}";
    assertRefused(
        "pipeline: {transforms: ["
            + create
            + ", {type: LogForTesting, input: A, config: {lvl: X}}]}",
        "Invalid config of transform LogForTesting: there is no field lvl. The fields are [level,"
            + " prefix]");
    assertRefused(
        "pipeline: {transforms: ["
            + create
            + ", {type: Filter, input: A, config: {keep: {expression: [1]}}}]}",
        "Invalid config of transform Filter, keep, expression: it must be a STRING");
    assertRefused(
        "pipeline: {transforms: [" + create + ", {type: LogForTesting, input: A.rows}]}",
        "Cannot find output rows of transform A. It has [output]");
  }

  @Test
  public void standardTransformsAreThoseOfBeamYaml() throws Exception {
    Path file =
        Files.writeString(
            folder.newFile().toPath(),
            """
            pipeline:
              type: chain
              source:
                type: Create
                config:
                  elements:
                    - {id: 1, name: a}
                    - {id: 2, name: b}
              transforms:
                - type: MapToFields
                  config: {append: true, fields: {other: name}}
              sink: {type: LogForTesting}
            """);
    Pipeline pipeline = YamlPipeline.of("--runner=DirectRunner", "--yaml_pipeline_file=" + file);
    assertThat(pipeline.run().waitUntilFinish(), is(State.DONE));
  }

  private void assertRefused(String yaml, String message) {
    Path file;
    try {
      file = Files.writeString(folder.newFile().toPath(), yaml);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThat(
        assertThrows(
                IllegalArgumentException.class,
                () -> YamlPipeline.of("--runner=DirectRunner", "--yaml_pipeline_file=" + file))
            .getMessage(),
        is(message));
  }
}
