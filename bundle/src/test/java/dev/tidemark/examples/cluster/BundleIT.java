package dev.tidemark.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What is in the bundle, and that it starts where nothing else is. */
@RunWith(JUnit4.class)
public final class BundleIT {
  private static final String SERVICES = "META-INF/services/";
  private static final String THIRD_PARTY = "META-INF/third-party/";
  private static final String MOVED = "dev/tidemark/shaded/";
  private static final long MIB = 1L << 20;

  private static JarContent bundle;

  /** What it is made of. */
  private static final List<JarContent> sources = new ArrayList<>();

  @BeforeClass
  public static void open() throws IOException {
    bundle = JarContent.of(ServerJars.bundle());
    for (Path jar : ServerJars.bundled()) {
      JarContent source = JarContent.of(jar);
      if (source.classes().anyMatch(name -> bundle.has(name) || bundle.has(MOVED + name))) {
        sources.add(source);
      } else {
        source.close();
      }
    }
  }

  @AfterClass
  public static void close() throws IOException {
    bundle.close();
    for (JarContent source : sources) {
      source.close();
    }
  }

  @Test
  public void hasNoClassOfTheCluster() throws IOException {
    Set<String> twice = new TreeSet<>();
    for (Path jar : ServerJars.jars("flink")) {
      try (JarContent lib = JarContent.of(jar)) {
        lib.classes().filter(bundle::has).forEach(name -> twice.add(name + " of " + jar));
      }
    }
    assertThat(twice, is(empty()));
  }

  @Test
  public void hasNoClassThatFlinkLoadsFromTheClusterFirst() {
    List<String> parentFirst =
        bundle
            .classes()
            .filter(
                name ->
                    Stream.of(
                            "org/rocksdb/",
                            "org/apache/flink/",
                            "org/slf4j/",
                            "org/apache/log4j/",
                            "org/apache/logging/",
                            "com/esotericsoftware/kryo/")
                        .anyMatch(name::startsWith))
            .toList();
    assertThat(parentFirst, is(empty()));
  }

  @Test
  public void classesOfOneNameAreEqual() throws IOException {
    Map<String, HashCode> seen = new HashMap<>();
    Set<String> different = new TreeSet<>();
    for (JarContent source : sources) {
      for (String name : source.classes().filter(bundle::has).toList()) {
        HashCode hash = Hashing.sha256().hashBytes(source.bytes(name));
        HashCode other = seen.putIfAbsent(name, hash);
        if (other != null && !other.equals(hash) && !isAnotherCopy(source, name)) {
          different.add(name);
        }
      }
    }
    assertThat(different, is(empty()));
  }

  /** The direct runner's copy of Beam, which is left out. */
  private static boolean isAnotherCopy(JarContent source, String name) {
    return source.has("org/apache/beam/runners/direct/DirectRunner.class")
        && !name.startsWith("org/apache/beam/runners/direct/")
        && !name.startsWith("org/apache/beam/runners/local/");
  }

  @Test
  public void servicesHaveAllLinesOfTheirSources() throws IOException {
    Set<String> missing = new TreeSet<>();
    int files = 0;
    for (JarContent source : sources) {
      for (String file : source.names().filter(name -> name.startsWith(SERVICES)).toList()) {
        files++;
        String moved = SERVICES + moved(file.substring(SERVICES.length()));
        Set<String> lines =
            bundle.has(moved) ? providers(bundle, moved) : Set.of("no such file: " + moved);
        for (String provider : providers(source, file)) {
          if (!lines.contains(moved(provider))) {
            missing.add(moved + ": " + provider);
          }
        }
      }
    }
    assertThat(missing, is(empty()));
    assertThat(files, is(greaterThan(10)));
  }

  private static Set<String> providers(JarContent jar, String file) throws IOException {
    Set<String> providers = new HashSet<>();
    for (String line : new String(jar.bytes(file), UTF_8).lines().toList()) {
      String provider = line.replaceAll("#.*", "").trim();
      if (!provider.isEmpty()) {
        providers.add(provider);
      }
    }
    return providers;
  }

  /** Where a class is in the bundle. */
  private static String moved(String className) {
    String moved = MOVED + className.replace('.', '/') + ".class";
    return bundle.has(moved) ? MOVED.replace('/', '.') + className : className;
  }

  @Test
  public void licensesAndNoticesOfAllPartsAreThere() throws IOException {
    Set<HashCode> there = new HashSet<>();
    for (String name : bundle.names().filter(name -> name.startsWith(THIRD_PARTY)).toList()) {
      there.add(Hashing.sha256().hashBytes(bundle.bytes(name)));
    }
    Set<String> missing = new TreeSet<>();
    for (JarContent source : sources) {
      if (source.classes().anyMatch(name -> name.startsWith("dev/tidemark/"))) {
        continue;
      }
      for (String name :
          source
              .names()
              .filter(name -> name.matches("(META-INF/)?(LICENSE|NOTICE)[^/]*"))
              .toList()) {
        if (!there.contains(Hashing.sha256().hashBytes(source.bytes(name)))) {
          missing.add(name + " beside " + source.classes().findFirst().orElse(""));
        }
      }
    }
    assertThat(missing, is(empty()));
    String notice = new String(bundle.bytes("META-INF/NOTICE"), UTF_8);
    assertThat(
        notice,
        allOf(
            containsString("Tidemark"),
            containsString("Apache Beam"),
            containsString("Apache Hadoop"),
            containsString("Arrow Vectors")));
  }

  @Test
  public void hasNeitherSignaturesNorModules() {
    List<String> left =
        bundle
            .names()
            .filter(name -> name.matches("META-INF/[^/]+\\.(SF|RSA|DSA)|.*module-info\\.class"))
            .toList();
    assertThat(left, is(empty()));
  }

  @Test
  public void sizeIsPrinted() throws IOException {
    long mib = Files.size(ServerJars.bundle()) / MIB;
    System.out.printf(
        "bundle: %d MiB, %d classes of %d jars, %d files in all%n",
        mib, bundle.classes().count(), sources.size(), bundle.names().count());
    assertThat(mib, is(lessThan(256L)));
    assertThat(bundle.manifest("Main-Class"), is(equalTo("dev.tidemark.bundle.Launcher")));
  }

  @Test
  public void showsHelpOnABareJvm() throws Exception {
    Run run = run();
    assertThat(run.output(), containsString("cdc "));
    assertThat(run.exitCode(), is(0));
  }

  @Test
  public void runsThePipelineOnABareJvm() throws Exception {
    Path folder = ServerJars.newFolder("bare-jvm");
    Path secret = Files.writeString(folder.resolve("password"), CdcStage.PASSWORD);
    Path tables = Files.writeString(folder.resolve("tables.json"), OrderEvents.TABLES);
    OrderEvents events =
        new OrderEvents(1, Instant.now().minus(Duration.ofHours(10)), Duration.ofSeconds(1));
    Path input = folder.resolve("events.jsonl");
    Files.write(input, Stream.generate(events::next).limit(600).map(BundleIT::lines).toList());
    try (DorisProcess doris = DorisProcess.start(folder, CdcStage.PASSWORD)) {
      doris.run(CdcStage.DATABASE, "CREATE DATABASE " + CdcStage.DATABASE);
      doris.run(CdcStage.DATABASE, OrderEvents.CREATE_IN_DORIS);
      Run run =
          run(
              "cdc",
              "--runner=DirectRunner",
              "--source=FILES",
              "--inputFiles=" + input,
              "--tables=" + tables,
              "--catalogType=hadoop",
              "--catalogWarehouse=" + folder.resolve("warehouse"),
              "--icebergNamespace=" + CdcStage.DATABASE,
              "--writerId=bare",
              "--dorisFrontends=" + doris.frontend(),
              "--dorisUser=" + DorisProcess.USER,
              "--dorisPassword=${file:" + secret + "}",
              "--dorisDatabase=" + CdcStage.DATABASE,
              "--upsertShards=8",
              "--deadLetterFolder=" + folder.resolve("dead-letters"));
      assertThat(run.output(), run.exitCode(), is(0));
      assertThat(OrderEvents.in(doris), is(equalTo(events.rows())));
      assertThat(run.output(), not(containsString(CdcStage.PASSWORD)));
    }
  }

  /** Records as lines of a file of events. */
  private static String lines(List<ProducerRecord<byte[], byte[]>> records) {
    return records.stream()
        .map(
            record ->
                String.format(
                    "{\"topic\":\"%s\",\"headers\":{},\"key\":%s,\"value\":%s}",
                    record.topic(),
                    new String(record.key(), UTF_8),
                    record.value() == null ? "null" : new String(record.value(), UTF_8)))
        .collect(Collectors.joining("\n"));
  }

  @Test
  public void unknownProgramIsRefusedWithThoseThatThereAre() throws Exception {
    Run run = run("cdcc");
    assertThat(
        run.output(),
        allOf(
            containsString("Cannot run cdcc: there is no such program."),
            containsString("cdc "),
            not(containsString("Exception"))));
    assertThat(run.exitCode(), is(2));
  }

  private record Run(int exitCode, String output) {}

  private static Run run(String... args) throws Exception {
    Path folder = ServerJars.newFolder("bundle");
    List<String> options = new ArrayList<>();
    options.add("-Xmx512m");
    options.add("-Djava.io.tmpdir=" + folder);
    options.add("-jar");
    options.add(ServerJars.bundle().toString());
    options.addAll(Arrays.asList(args));
    try (ServerProcess process =
        ServerProcess.java("the bundle", folder.resolve("bundle.log"), options)) {
      int exitCode = process.awaitEnd(Duration.ofMinutes(2));
      return new Run(exitCode, process.output());
    }
  }
}
