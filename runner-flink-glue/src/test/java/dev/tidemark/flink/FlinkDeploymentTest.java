package dev.tidemark.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.in;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.contrib.streaming.state.RocksDBOptions;
import org.apache.flink.metrics.prometheus.PrometheusReporterFactory;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessSpec;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;
import org.yaml.snakeyaml.Yaml;

/** Holds the manifests to the options that exist, and to Flink's own arithmetic of memory. */
@RunWith(JUnit4.class)
public class FlinkDeploymentTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final List<Class<?>> FLINK_OPTIONS =
      List.of(
          CheckpointingOptions.class,
          CoreOptions.class,
          HighAvailabilityOptions.class,
          JobManagerOptions.class,
          MetricOptions.class,
          RestartStrategyOptions.class,
          RocksDBOptions.class,
          TaskManagerOptions.class);

  /** The operator's own, and those of one reporter, which have no fixed key. */
  private static final List<String> OTHER_OPTIONS =
      List.of("kubernetes.operator.", "metrics.reporter.prom.");

  private final Node spec = Node.of(load("kubernetes/flink-deployment.yaml")).at("spec");

  /** A mapping of a YAML document. */
  private record Node(Map<?, ?> map) {
    static Node of(Object value) {
      return new Node((Map<?, ?>) value);
    }

    Node at(String key) {
      return of(map.get(key));
    }

    String text(String key) {
      return String.valueOf(map.get(key));
    }

    List<?> list(String key) {
      return (List<?>) map.get(key);
    }
  }

  private static Object load(String file) {
    try {
      return new Yaml().load(DeployFiles.read(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> args() {
    return spec.at("job").list("args").stream().map(String::valueOf).collect(Collectors.toList());
  }

  private Map<String, String> flinkConfiguration() {
    return spec.at("flinkConfiguration").map().entrySet().stream()
        .collect(
            Collectors.toMap(
                entry -> String.valueOf(entry.getKey()),
                entry -> String.valueOf(entry.getValue())));
  }

  private TidemarkFlinkOptions options() {
    String[] known =
        args().stream().filter(arg -> !arg.startsWith("--parameterFile=")).toArray(String[]::new);
    return TidemarkFlink.configure(
        PipelineOptionsFactory.fromArgs(known).withValidation().as(TidemarkFlinkOptions.class));
  }

  @Test
  public void argumentsAreOptionsThatExistAndPassTheCheck() {
    assertThat(new FlinkPipelineCheck().problems(options()), is(empty()));
    assertThat(args(), everyItem(startsWith("--")));
  }

  @Test
  public void parallelismIsTheOperators() {
    assertThat(args(), everyItem(not(startsWith("--parallelism"))));
    int parallelism = Integer.parseInt(spec.at("job").text("parallelism"));
    assertThat(options().getMaxParallelism(), greaterThanOrEqualTo(parallelism));
  }

  @Test
  public void nobodyWaitsForTheJob() {
    assertThat(options().getAttachedMode(), is(false));
  }

  @Test
  public void upgradesTakeASavepointAndLeaveNothingBehind() {
    assertThat(spec.at("job").text("upgradeMode"), is("savepoint"));
    assertThat(spec.at("job").text("allowNonRestoredState"), is("false"));
    assertThat(
        Set.of("state.savepoints.dir", "state.checkpoints.dir", "high-availability.storageDir"),
        everyItem(is(in(flinkConfiguration().keySet()))));
    assertThat(flinkConfiguration().get("state.checkpoints.num-retained"), is("3"));
  }

  @Test
  public void flinkKnowsItsConfiguration() throws Exception {
    Set<String> known = new TreeSet<>();
    for (Class<?> type : FLINK_OPTIONS) {
      for (Field field : type.getFields()) {
        if (Modifier.isStatic(field.getModifiers())
            && ConfigOption.class.isAssignableFrom(field.getType())) {
          known.add(((ConfigOption<?>) field.get(null)).key());
        }
      }
    }
    Set<String> unknown = new TreeSet<>(flinkConfiguration().keySet());
    unknown.removeAll(known);
    unknown.removeIf(key -> OTHER_OPTIONS.stream().anyMatch(key::startsWith));
    assertThat(unknown, is(empty()));
  }

  @Test
  public void taskManagersHaveRoomForCandidateStores() {
    Configuration conf = Configuration.fromMap(flinkConfiguration());
    conf.set(
        TaskManagerOptions.TOTAL_PROCESS_MEMORY,
        MemorySize.parse(spec.at("taskManager").at("resource").text("memory")));
    TaskExecutorProcessSpec memory = TaskExecutorProcessUtils.processSpecFromConfig(conf);
    long stores = options().getCandidateStoreMemoryMb();
    System.out.println("deployment: " + memory);
    assertThat(
        "heap: three quarters of the stores and as much for everything else",
        memory.getTaskHeapSize().getBytes() / MEBIBYTE,
        greaterThanOrEqualTo(2 * (stores * 3 / 4)));
    assertThat(
        "off the heap: a quarter of the stores and 128 MiB of Arrow for each slot",
        memory.getTaskOffHeapSize().getBytes() / MEBIBYTE,
        greaterThanOrEqualTo(stores / 4 + 128L * conf.get(TaskManagerOptions.NUM_TASK_SLOTS)));
  }

  @Test
  public void jobManagerHasEnoughMemory() {
    Configuration conf = Configuration.fromMap(flinkConfiguration());
    conf.set(
        JobManagerOptions.TOTAL_PROCESS_MEMORY,
        MemorySize.parse(spec.at("jobManager").at("resource").text("memory")));
    JobManagerProcessSpec memory =
        JobManagerProcessUtils.processSpecFromConfigWithNewOptionToInterpretLegacyHeap(
            conf, JobManagerOptions.JVM_HEAP_MEMORY);
    assertThat(memory.getJvmHeapMemorySize().getBytes() / MEBIBYTE, greaterThanOrEqualTo(512L));
  }

  @Test
  public void localFilesAreWhereADiskIsMounted() {
    Node container = Node.of(spec.at("podTemplate").at("spec").list("containers").get(0));
    List<String> mounts =
        container.list("volumeMounts").stream()
            .map(mount -> Node.of(mount).text("mountPath"))
            .collect(Collectors.toList());
    for (String path :
        List.of(
            options().getCandidateStoreDirectory(),
            flinkConfiguration().get("state.backend.rocksdb.localdir"))) {
      assertThat(path, mounts.stream().anyMatch(mount -> path.startsWith(mount + "/")), is(true));
    }
  }

  @Test
  public void reporterIsWhereItIsScraped() {
    Node container = Node.of(spec.at("podTemplate").at("spec").list("containers").get(0));
    Node port = Node.of(container.list("ports").get(0));
    assertThat(
        flinkConfiguration().get("metrics.reporter.prom.factory.class"),
        is(PrometheusReporterFactory.class.getName()));
    assertThat(
        flinkConfiguration().get("metrics.reporter.prom.port"), is(port.text("containerPort")));
    Node monitor = Node.of(load("kubernetes/pod-monitor.yaml")).at("spec");
    assertThat(
        Node.of(monitor.list("podMetricsEndpoints").get(0)).text("port"), is(port.text("name")));
    assertThat(
        monitor.at("selector").at("matchLabels").text("app"),
        is(Node.of(load("kubernetes/flink-deployment.yaml")).at("metadata").text("name")));
  }

  @Test
  public void jvmIsOpenedAsInTests() throws Exception {
    Matcher opens =
        Pattern.compile("<jvm.opens>(.*)</jvm.opens>")
            .matcher(Files.readString(Path.of("..", "pom.xml")));
    assertThat(opens.find(), is(true));
    assertThat(
        flinkConfiguration().get("env.java.opts.all").replaceAll("\\s+", " ").strip(),
        is(opens.group(1)));
  }

  @Test
  public void imageHasTheBundleWhereTheJobLooksForIt() throws Exception {
    String container = DeployFiles.read("Containerfile");
    String jar = spec.at("job").text("jarURI");
    assertThat(jar, startsWith("local:///opt/flink/usrlib/"));
    assertThat(container, containsString(jar.substring("local://".length())));
    Matcher version =
        Pattern.compile("<flink.version>(.*)</flink.version>")
            .matcher(Files.readString(Path.of("..", "pom.xml")));
    assertThat(version.find(), is(true));
    assertThat(container, containsString("/flink:" + version.group(1) + "-"));
    assertThat(spec.text("flinkVersion"), is("v1_19"));
    assertThat(version.group(1), startsWith("1.19."));
  }

  @Test
  public void eachAlertTellsHowBadItIsAndWhatToRead() {
    int alerts = 0;
    for (Object group : Node.of(load("prometheus/alerts.yaml")).list("groups")) {
      for (Object each : Node.of(group).list("rules")) {
        Node rule = Node.of(each);
        String name = rule.text("alert");
        assertThat(name, rule.text("expr"), containsString("flink_"));
        assertThat(name, rule.at("labels").text("severity"), is(in(Set.of("warning", "critical"))));
        assertThat(name, rule.at("annotations").map().containsKey("summary"), is(true));
        assertThat(
            name, Files.exists(Path.of("..", rule.at("annotations").text("runbook"))), is(true));
        alerts++;
      }
    }
    assertThat(alerts, greaterThanOrEqualTo(20));
  }

  @Test
  public void eachPanelAsksForSomething() {
    // JSON is YAML.
    Node dashboard = Node.of(load("grafana/tidemark.json"));
    Set<String> ids = new TreeSet<>();
    for (Object each : dashboard.list("panels")) {
      Node panel = Node.of(each);
      ids.add(panel.text("id"));
      for (Object target : panel.list("targets")) {
        assertThat(panel.text("title"), Node.of(target).text("expr"), containsString("flink_"));
      }
    }
    assertThat(ids.size(), is(dashboard.list("panels").size()));
  }
}
