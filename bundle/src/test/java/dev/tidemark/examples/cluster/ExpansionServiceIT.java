package dev.tidemark.examples.cluster;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.beam.model.expansion.v1.ExpansionApi.DiscoverSchemaTransformRequest;
import org.apache.beam.model.expansion.v1.ExpansionApi.ExpansionRequest;
import org.apache.beam.model.expansion.v1.ExpansionApi.ExpansionResponse;
import org.apache.beam.model.expansion.v1.ExpansionApi.SchemaTransformConfig;
import org.apache.beam.model.expansion.v1.ExpansionServiceGrpc;
import org.apache.beam.model.expansion.v1.ExpansionServiceGrpc.ExpansionServiceBlockingStub;
import org.apache.beam.model.pipeline.v1.ExternalTransforms.SchemaTransformPayload;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.SchemaTranslation;
import org.apache.beam.sdk.schemas.utils.YamlUtils;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.util.construction.SdkComponents;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ManagedChannel;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ManagedChannelBuilder;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * The bundle as Beam starts it for a pipeline of another language: as a process, with a port, asked
 * over gRPC.
 */
@RunWith(JUnit4.class)
public final class ExpansionServiceIT {
  private static final String URN = "beam:schematransform:dev.tidemark:";
  private static final String EXPAND = "beam:expansion:payload:schematransform:v1";
  private static final Schema CHANGES =
      Schema.builder()
          .addInt64Field("id")
          .addNullableStringField("name")
          .addStringField("_kind")
          .build();

  private static ServerProcess process;
  private static ManagedChannel channel;
  private static Map<String, SchemaTransformConfig> discovered;

  @BeforeClass
  public static void start() throws Exception {
    Path folder = ServerJars.newFolder("expansion-service");
    int port = Ports.free();
    process =
        ServerProcess.java(
            "the expansion service",
            folder.resolve("service.log"),
            List.of(
                "-Xmx512m",
                "-Djava.io.tmpdir=" + folder,
                "-jar",
                ServerJars.bundle().toString(),
                String.valueOf(port),
                "--filesToStage=" + ServerJars.bundle()));
    process.awaitLine("Starting expansion service at ");
    channel = ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    discovered =
        stub()
            .discoverSchemaTransform(DiscoverSchemaTransformRequest.getDefaultInstance())
            .getSchemaTransformConfigsMap();
  }

  private static ExpansionServiceBlockingStub stub() {
    // It says that it starts before it listens.
    return ExpansionServiceGrpc.newBlockingStub(channel)
        .withWaitForReady()
        .withDeadlineAfter(60, TimeUnit.SECONDS)
        .withMaxInboundMessageSize(64 << 20);
  }

  @AfterClass
  public static void stop() throws Exception {
    if (channel != null) {
      channel.shutdownNow();
    }
    if (process != null) {
      process.close();
    }
  }

  @Test
  public void everyTransformIsDiscoveredWithItsFields() throws Exception {
    assertThat(
        discovered.keySet(),
        hasItems(
            URN + "parse_debezium:v1",
            URN + "materialize_upserts:v1",
            URN + "iceberg_write:v1",
            URN + "iceberg_merge:v1",
            URN + "doris_write:v1"));
    for (String urn : ours()) {
      Schema fields = SchemaTranslation.schemaFromProto(discovered.get(urn).getConfigSchema());
      if (!urn.equals(URN + "iceberg_merge:v1")) {
        assertThat(urn, fields.getFieldNames(), hasItem("error_handling"));
      }
      for (Schema.Field field : fields.getFields()) {
        assertThat(field.getName(), field.getName().matches("[a-z][a-z_]*"), is(true));
      }
    }
  }

  private static Set<String> ours() {
    return discovered.keySet().stream()
        .filter(urn -> urn.startsWith(URN))
        .collect(Collectors.toSet());
  }

  @Test
  public void everyTransformIsExpanded() throws Exception {
    Path warehouse = ServerJars.newFolder("warehouse");
    Map<String, String> configs =
        Map.of(
            "parse_debezium",
            "{value_column: name, tables: [{topic: t, columns: [id bigint not null]}]}",
            "materialize_upserts",
            "{sink_key: [id], error_handling: {output: failed}}",
            "iceberg_write",
            "{table: a.b, catalog_properties: {type: hadoop, warehouse: '"
                + warehouse
                + "'}, writer_id: w, create_table: {}}",
            "iceberg_merge",
            "{table: a.c, catalog_properties: {type: hadoop, warehouse: '"
                + warehouse
                + "'}, sources: [{name: b, table: a.b}], key: [id], order: [id]}",
            "doris_write",
            "{frontends: ['127.0.0.1:1'], user: u, password: '${env:NO_SUCH_TIDEMARK_SECRET}',"
                + " database: d, table: t, key: [id], label_prefix: p, launch_check: false}");
    Map<String, String> steps =
        Map.of(
            "parse_debezium", "Parse",
            "materialize_upserts", "MaterializeUpserts",
            "iceberg_write", "WriteChanges",
            "iceberg_merge", "MergeChanges",
            "doris_write", "Write");
    for (String name : configs.keySet()) {
      ExpansionResponse response = expand(name, configs.get(name));
      assertThat(name, response.getError(), is(""));
      assertThat(
          response.getTransform().getOutputsMap().toString(),
          response.getTransform().getOutputsCount(),
          greaterThan(0));
      Set<String> names =
          response.getComponents().getTransformsMap().values().stream()
              .map(RunnerApi.PTransform::getUniqueName)
              .collect(Collectors.toSet());
      assertThat(
          name + " " + names,
          names.stream().anyMatch(each -> each.contains("/" + steps.get(name))),
          is(true));
    }
  }

  @Test
  public void whatIsWrongIsToldWithItsFieldAndWithoutTheSecret() throws Exception {
    String error =
        expand(
                "doris_write",
                "{frontends: ['127.0.0.1:1'], user: u, password: hunter2, database: d, table: t,"
                    + " label_prefix: p}")
            .getError();
    assertThat(error, containsString("Invalid field password: "));
    assertThat(error, not(containsString("hunter2")));
  }

  /** Beam YAML starts the jar so; people start it by its name. */
  @Test
  public void programOfTheNameTellsWhatItNeeds() throws Exception {
    Path folder = ServerJars.newFolder("bundle");
    try (ServerProcess named =
        ServerProcess.java(
            "the bundle",
            folder.resolve("bundle.log"),
            List.of(
                "-Djava.io.tmpdir=" + folder,
                "-jar",
                ServerJars.bundle().toString(),
                "expansion-service"))) {
      assertThat(named.awaitEnd(java.time.Duration.ofMinutes(1)), is(2));
      assertThat(named.output(), containsString("its first argument must be a port"));
    }
  }

  private static ExpansionResponse expand(String name, String yaml) throws Exception {
    Schema schema =
        SchemaTranslation.schemaFromProto(discovered.get(URN + name + ":v1").getConfigSchema());
    ByteArrayOutputStream config = new ByteArrayOutputStream();
    RowCoder.of(schema).encode(YamlUtils.toBeamRow(yaml, schema), config);
    SchemaTransformPayload payload =
        SchemaTransformPayload.newBuilder()
            .setIdentifier(URN + name + ":v1")
            .setConfigurationSchema(SchemaTranslation.schemaToProto(schema, true))
            .setConfigurationRow(ByteString.copyFrom(config.toByteArray()))
            .build();
    Pipeline pipeline = Pipeline.create(PipelineOptionsFactory.create());
    PCollection<Row> rows = pipeline.apply(Create.empty(CHANGES));
    SdkComponents components = SdkComponents.create(pipeline.getOptions());
    String input = components.registerPCollection(rows);
    RunnerApi.PTransform.Builder transform =
        RunnerApi.PTransform.newBuilder()
            .setUniqueName("external")
            .setSpec(
                RunnerApi.FunctionSpec.newBuilder()
                    .setUrn(EXPAND)
                    .setPayload(payload.toByteString()));
    if (!name.equals("iceberg_merge")) {
      transform.putInputs("input", input);
    }
    return stub()
        .expand(
            ExpansionRequest.newBuilder()
                .setNamespace("test")
                .setComponents(components.toComponents())
                .setTransform(transform)
                .build());
  }
}
