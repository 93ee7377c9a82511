package dev.tidemark.examples.cdc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import dev.tidemark.examples.demo.ServingTables;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.secrets.Secrets;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.Pipeline.PipelineVisitor;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.util.construction.PipelineTranslation;
import org.apache.flink.api.common.JobID;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** References are resolved where they are used, and no secret is anywhere else. */
public class SecretsTest {
  private static final String SECRET = ServingTables.PASSWORD;
  private static final String HEADER =
      Base64.getEncoder().encodeToString((ServingTables.USER + ":" + SECRET).getBytes(UTF_8));

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void fileIsResolvedWithoutItsLineBreak() throws Exception {
    Path file = folder.newFile().toPath();
    Files.writeString(file, "se$cret\n");
    assertThat(Secrets.canResolve("${file:" + file + "}"), is(true));
    assertThat(Secrets.resolve("a=${file:" + file + "};b"), is("a=se$cret;b"));
  }

  @Test
  public void variableIsResolved() {
    assertThat(Secrets.resolve("${env:PATH}"), is(System.getenv("PATH")));
  }

  @Test
  public void missingSecretIsNamedByItsReference() {
    assertThat(Secrets.canResolve("x${env:TIDEMARK_NO_SUCH_SECRET}"), is(false));
    assertThat(
        assertThrows(
                IllegalStateException.class,
                () -> Secrets.resolve("x${env:TIDEMARK_NO_SUCH_SECRET}"))
            .getMessage(),
        containsString("Cannot resolve ${env:TIDEMARK_NO_SUCH_SECRET}: "));
    assertThat(
        assertThrows(IllegalStateException.class, () -> Secrets.resolve("${file:/no/such/secret}"))
            .getMessage(),
        containsString("Cannot resolve ${file:/no/such/secret}: "));
  }

  @Test
  public void secretMayHoldWhateverItsOptionHasASyntaxFor() throws Exception {
    Path file = folder.newFile().toPath();
    String secret = "M required username=\"u\" password=\"p\\\", \"x\": \"y\"; ";
    Files.writeString(file, secret + "\r\n");

    assertThat(
        JsonTexts.resolved("--kafkaProperties", "{\"sasl.jaas.config\": \"${file:" + file + "}\"}"),
        is(Map.of("sasl.jaas.config", secret)));
  }

  @Test
  public void textWithoutReferencesIsLeftAlone() {
    assertThat(Secrets.resolve("s3://bucket/${x} $1"), is("s3://bucket/${x} $1"));
    assertThat(Secrets.holdsReference("s3://bucket/${x}"), is(false));
  }

  @Test
  public void graphHoldsNoSecret() throws Exception {
    try (ShopRun shop = ShopRun.in(folder.getRoot().toPath())) {
      CdcOptions options = CdcPipeline.options(shop.arguments("--checkpointingInterval=500"));
      Pipeline pipeline = Pipeline.create(options);
      CdcPipeline.build(pipeline, options);
      List<String> shown = displayData(pipeline);
      assertThat(shown.size() > 100, is(true));
      assertThat(String.join("\n", shown), not(containsString(SECRET)));
      assertThat(DisplayData.from(options).toString(), not(containsString(SECRET)));
      String proto = new String(PipelineTranslation.toProto(pipeline).toByteArray(), ISO_8859_1);
      assertThat(proto, containsString("Serve_orders"));
      assertThat(proto, not(containsString(SECRET)));
    }
  }

  private static List<String> displayData(Pipeline pipeline) {
    List<String> shown = new ArrayList<>();
    pipeline.traverseTopologically(
        new PipelineVisitor.Defaults() {
          @Override
          public CompositeBehavior enterCompositeTransform(TransformHierarchy.Node node) {
            return visit(node);
          }

          @Override
          public void visitPrimitiveTransform(TransformHierarchy.Node node) {
            visit(node);
          }

          private CompositeBehavior visit(TransformHierarchy.Node node) {
            if (node.getTransform() != null) {
              DisplayData.from(node.getTransform())
                  .items()
                  .forEach(item -> shown.add(item.toString()));
            }
            return CompositeBehavior.ENTER_TRANSFORM;
          }
        });
    return shown;
  }

  @Test
  public void webPageOfFlinkHoldsReferencesOnly() throws Exception {
    try (EmbeddedFlink flink = EmbeddedFlink.start();
        ShopRun shop = ShopRun.in(folder.getRoot().toPath())) {
      CdcOptions options =
          CdcPipeline.options(
              shop.arguments("--checkpointingInterval=500", "--parallelism=1", "--upsertShards=4"));
      ShopRun.onto(flink.options(1, 500), options);
      Pipeline pipeline = Pipeline.create(options);
      CdcPipeline.build(pipeline, options);
      JobID job = flink.submit(pipeline);
      HttpClient http = HttpClient.newHttpClient();
      for (String page : List.of("", "/config", "/plan")) {
        URI address =
            URI.create("http://" + options.getFlinkMaster() + "/jobs/" + job.toHexString() + page);
        String body =
            http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString(UTF_8)).body();
        assertThat(body, containsString(job.toHexString()));
        assertThat(body, not(containsString(SECRET)));
        if (page.equals("/config")) {
          assertThat(body, containsString("dorisDatabase"));
        }
      }
      flink.cancel(job);
    }
  }

  /** The program in a process of its own, which logs much. */
  @Test
  public void logHoldsNoSecret() throws Exception {
    try (ShopRun shop = ShopRun.in(folder.getRoot().toPath())) {
      Path log = folder.getRoot().toPath().resolve("log");
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      for (String name : List.of("lang", "util", "util.concurrent", "time", "nio")) {
        command.add("--add-opens=java.base/java." + name + "=ALL-UNNAMED");
      }
      command.addAll(
          List.of(
              "-Xmx1g",
              "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
              "-Dorg.slf4j.simpleLogger.log.dev.tidemark=trace",
              "-Dorg.slf4j.simpleLogger.log.org.apache.beam=debug",
              "-Dorg.slf4j.simpleLogger.log.org.apache.iceberg=debug",
              "-cp",
              System.getProperty("java.class.path"),
              CdcPipeline.class.getName()));
      command.addAll(
          List.of(
              shop.arguments(
                  "--flinkMaster=[local]",
                  "--checkpointingInterval=500",
                  "--parallelism=1",
                  "--upsertShards=4")));
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        assertThat(process.waitFor(180, TimeUnit.SECONDS), is(true));
      } finally {
        process.destroyForcibly();
      }
      String logged = Files.readString(log, ISO_8859_1);
      assertThat(logged.substring(0, Math.min(2_000, logged.length())), process.exitValue(), is(0));
      shop.assertRight();
      assertThat(logged, containsString("DEBUG"));
      assertThat(logged.contains(SECRET), is(false));
      assertThat(logged.contains(HEADER), is(false));
    }
  }
}
