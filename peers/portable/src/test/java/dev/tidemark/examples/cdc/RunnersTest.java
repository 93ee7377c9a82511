package dev.tidemark.examples.cdc;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.change.DebeziumRecordCoder;
import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.examples.demo.ServingTables;
import dev.tidemark.examples.demo.ShopFiles;
import dev.tidemark.examples.demo.TruthCheck;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.beam.runners.flink.FlinkJobServerDriver;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.portability.PortableRunner;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.options.PortablePipelineOptions;
import org.apache.beam.sdk.options.StreamingOptions;
import org.apache.beam.sdk.transforms.Create;
import org.apache.iceberg.catalog.TableIdentifier;
import org.joda.time.Instant;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * The change pipeline on other runners than Flink's classic one: over all its events at once, with
 * the truth at the end, and as a stream, which is refused.
 */
@RunWith(JUnit4.class)
public class RunnersTest {
  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  @Test
  public void boundedPipelineOnTheDirectRunner() throws Exception {
    try (DorisEmulator doris = ServingTables.start()) {
      ShopFiles files = ShopFiles.write(temp.getRoot().toPath());

      assertRight(files, doris, options(files, doris));
    }
  }

  @Test
  public void boundedPipelineThroughThePortableJobServer() throws Exception {
    FlinkJobServerDriver server =
        FlinkJobServerDriver.fromParams(
            new String[] {
              "--job-host=127.0.0.1",
              "--job-port=0",
              "--artifact-port=0",
              "--expansion-port=0",
              "--flink-master=[local]",
              "--artifacts-dir=" + temp.newFolder()
            });
    String endpoint = server.start();
    try (DorisEmulator doris = ServingTables.start()) {
      ShopFiles files = ShopFiles.write(temp.getRoot().toPath());

      assertRight(files, doris, portable(options(files, doris), endpoint));
    } finally {
      server.stop();
    }
  }

  @Test
  public void streamThroughThePortableRunnerIsRefusedByName() throws Exception {
    try (DorisEmulator doris = ServingTables.start()) {
      ShopFiles files = ShopFiles.write(temp.getRoot().toPath());
      CdcOptions options = portable(options(files, doris), "127.0.0.1:1");
      options.as(StreamingOptions.class).setStreaming(true);
      Pipeline pipeline = Pipeline.create(options);
      CdcPipeline.build(pipeline, options);

      String refused = assertThrows(IllegalArgumentException.class, pipeline::run).getMessage();

      assertThat(
          refused,
          allOf(
              containsString(PortableRunner.class.getName()),
              containsString("does not bind bundle finalizers to checkpoints"),
              containsString("use --runner=FlinkRunner")));
    }
  }

  private static CdcOptions options(ShopFiles files, DorisEmulator doris) {
    Map<String, String> options = files.options(doris);
    options.put("runner", "DirectRunner");
    options.put("targetParallelism", "1");
    options.put("upsertShards", "8");
    List<String> arguments = new ArrayList<>();
    options.forEach((name, value) -> arguments.add("--" + name + "=" + value));
    return CdcPipeline.options(arguments.toArray(new String[0]));
  }

  /** Its workers are threads of this process, as its job server is. */
  private static CdcOptions portable(CdcOptions options, String endpoint) {
    options.setRunner(PortableRunner.class);
    PortablePipelineOptions portable = options.as(PortablePipelineOptions.class);
    portable.setJobEndpoint(endpoint);
    portable.setDefaultEnvironmentType("EMBEDDED");
    portable.setFilesToStage(List.of(someJar()));
    options.as(FlinkPipelineOptions.class).setParallelism(1);
    return options;
  }

  /** Staging nothing would mean the whole class path, which this process has anyway. */
  private static String someJar() {
    return Path.of(Instant.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .toString();
  }

  private static void assertRight(ShopFiles files, DorisEmulator doris, CdcOptions options)
      throws IOException {
    Pipeline pipeline = Pipeline.create(options);
    CdcPipeline.build(
        pipeline.apply("Events", Create.of(events(files)).withCoder(DebeziumRecordCoder.of())),
        options);

    State state = pipeline.run().waitUntilFinish();

    assertThat(state, is(State.DONE));
    assertThat(files.writtenDeadLetters(), is(empty()));
    CatalogConfig catalog =
        CatalogConfig.of(
            "demo", Map.of("type", "hadoop", "warehouse", files.warehouse().toString()));
    for (SourceTable table : SourceTables.read(files.tables().toString())) {
      TruthCheck truth = TruthCheck.of(table.key(), ShopFiles.finalRows(table.name()));
      TruthCheck.Result changes =
          truth.compareChanges(
              catalog.loadTable(TableIdentifier.of(ServingTables.DATABASE, table.name())));
      assertThat(table.name() + ", changes", changes.size(), greaterThan(0));
      assertThat(table.name() + ", changes", changes.differences(), is(empty()));
      TruthCheck.Result rows = truth.compareRows(doris.rows(ServingTables.DATABASE, table.name()));
      assertThat(table.name() + ", rows", rows.size(), greaterThan(0));
      assertThat(table.name() + ", rows", rows.differences(), is(empty()));
    }
  }

  private static List<DebeziumRecord> events(ShopFiles files) throws IOException {
    List<DebeziumRecord> events = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(files.events())),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        events.add(EventLine.parse(line).record());
      }
    }
    return events;
  }
}
