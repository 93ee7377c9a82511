package dev.tidemark.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import dev.tidemark.once.Batch;
import dev.tidemark.once.Effect;
import dev.tidemark.once.Outcome;
import dev.tidemark.once.PerformOnce;
import dev.tidemark.upsert.MaterializeUpserts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.prometheus.PrometheusReporterFactory;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Scrapes Flink's own Prometheus reporter, and holds the deployment files to what it says. */
@RunWith(JUnit4.class)
public class PrometheusNamesTest {
  private static final Schema SCHEMA = Schema.builder().addInt64Field("id").build();
  private static final Pattern SAMPLE =
      Pattern.compile("^([a-zA-Z_:][a-zA-Z0-9_:]*)\\{(.*)\\} (\\S+)$", Pattern.MULTILINE);
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");
  private static final String UPSERTS = PrometheusNames.of(MaterializeUpserts.class, "additions");
  private static final String EFFECTS = PrometheusNames.of(PerformOnce.class, "performed");
  private static final String DISTRIBUTION =
      PrometheusNames.of(MaterializeUpserts.class, "packedRows");

  private static EmbeddedFlink flink;
  private static String scraped;

  private static final class ChangeFn extends DoFn<Long, Change> {
    @ProcessElement
    public void process(@Element Long id, OutputReceiver<Change> out) {
      out.output(Change.of(ChangeKind.INSERT, Row.withSchema(SCHEMA).addValue(id).build()));
    }
  }

  /** Does nothing, with success. */
  private static final class NoEffect implements Effect<String, Change, String> {
    @Override
    public Outcome<String> perform(String key, Batch<Change> batch) {
      return Outcome.done(List.of());
    }
  }

  @BeforeClass
  public static void scrapeARunningJob() throws Exception {
    int port = freePort();
    Configuration conf = new Configuration();
    conf.setString("metrics.reporters", "prom");
    conf.setString(
        "metrics.reporter.prom.factory.class", PrometheusReporterFactory.class.getName());
    conf.setString("metrics.reporter.prom.port", Integer.toString(port));
    flink = EmbeddedFlink.start(4, conf);
    TidemarkFlinkOptions options = flink.options(2, 300);
    options.setJobName("orders");
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply("Ids", Read.from(IdSource.of(Long.MAX_VALUE, 500, false)))
        .apply("Changes", ParDo.of(new ChangeFn()))
        .setCoder(ChangeCoder.of(SCHEMA))
        .apply("Upserts", MaterializeUpserts.create().withSinkKey("id").withShards(16))
        .changes()
        .apply(WithKeys.<String, Change>of("table").withKeyType(TypeDescriptors.strings()))
        .apply("Once", PerformOnce.of(new NoEffect()).withReportCoder(StringUtf8Coder.of()));
    JobID job = flink.submit(pipeline);
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    flink.awaitCondition(
        job,
        () -> {
          try {
            scraped = http.send(request, BodyHandlers.ofString()).body();
          } catch (IOException e) {
            return false;
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return sum(UPSERTS) > 0 && sum(EFFECTS) > 0 && sum(DeployFiles.CHECKPOINTS) > 0;
        },
        60);
    flink.cancel(job);
  }

  @AfterClass
  public static void stopFlink() {
    flink.close();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static double sum(String name) {
    double sum = 0;
    Matcher samples = SAMPLE.matcher(scraped);
    while (samples.find()) {
      if (samples.group(1).equals(name)) {
        sum += Double.parseDouble(samples.group(3));
      }
    }
    return sum;
  }

  private static Set<String> names() {
    return SAMPLE.matcher(scraped).results().map(r -> r.group(1)).collect(Collectors.toSet());
  }

  @Test
  public void countersOfBeamHaveTheNamesThatAreDocumented() {
    assertThat(
        names(),
        hasItems(
            "flink_taskmanager_job_task_operator_dev_tidemark_upsert_MaterializeUpserts_additions",
            "flink_taskmanager_job_task_operator_dev_tidemark_upsert_MaterializeUpserts_inserts",
            "flink_taskmanager_job_task_operator_dev_tidemark_once_PerformOnce_performed",
            "flink_taskmanager_job_task_operator_dev_tidemark_once_PerformOnce_calls"));
  }

  @Test
  public void labelsTellTheJobAndTheStep() {
    Matcher samples = SAMPLE.matcher(scraped);
    Map<String, String> labels = new TreeMap<>();
    while (samples.find()) {
      if (samples.group(1).equals(EFFECTS)) {
        LABEL
            .matcher(samples.group(2))
            .results()
            .forEach(label -> labels.put(label.group(1), label.group(2)));
      }
    }
    assertThat(
        labels.keySet().toString(),
        is(
            "[host, job_id, job_name, operator_id, operator_name, subtask_index, task_attempt_id,"
                + " task_attempt_num, task_id, task_name, tm_id]"));
    assertThat(labels.get("job_name"), is("orders"));
    assertThat(labels.get("operator_name"), containsString("Once_Perform"));
  }

  /** The reporter takes numbers only, and says 0 for anything else. */
  @Test
  public void distributionsAreNotReported() {
    assertThat(scraped, containsString(DISTRIBUTION));
    assertThat(sum(DISTRIBUTION), is(0.0));
  }

  @Test
  public void metricsOfAlertsAndDashboardAreReportedOrDefinedInCode() throws Exception {
    Set<String> unknown = new TreeSet<>(DeployFiles.metrics());
    unknown.removeAll(names());
    Set<String> defined = PrometheusNames.ofAllModules();
    unknown.removeAll(defined);
    assertThat(unknown, is(empty()));
    assertThat(defined, hasItems(UPSERTS, EFFECTS));
  }

  @Test
  public void noAlertLooksAtADistribution() throws Exception {
    for (String distribution : PrometheusNames.distributions()) {
      assertThat(DeployFiles.metrics(), not(hasItems(distribution)));
    }
  }
}
