package dev.tidemark.examples.cdc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.Assert.assertThrows;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.examples.cdc.Parameters.Spec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.beam.sdk.options.ExperimentalOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.Test;

/** What is said of options that are wrong, missing, or do not go together. */
public class CommandLineTest {
  private static final ImmutableMap<String, String> VALID =
      ImmutableMap.<String, String>builder()
          .put("kafkaServers", "127.0.0.1:9092")
          .put("tables", "templates/shop-tables.json")
          .put("deadLetterFolder", "/tmp/dead-letters")
          .put("catalogType", "hadoop")
          .put("catalogWarehouse", "/tmp/warehouse")
          .put("icebergNamespace", "shop")
          .put("writerId", "shop-eu")
          .put("dorisFrontends", "127.0.0.1:8030")
          .put("dorisUser", "loader")
          .put("dorisPassword", "${env:DORIS_PASSWORD}")
          .put("dorisDatabase", "shop")
          .put("checkpointingInterval", "1000")
          .put("maxParallelism", "16")
          .build();

  /** A value of each option that is wrong by itself. */
  private static final ImmutableMap<String, String> WRONG =
      ImmutableMap.<String, String>builder()
          .put("source", "PULSAR")
          .put("tables", "templates/no-such-file.json")
          .put("watermarkDelaySeconds", "-1")
          .put("launchCheck", "maybe")
          .put("kafkaServers", "broker")
          .put("kafkaProperties", "security.protocol=SSL")
          .put("kafkaStart", "yesterday")
          .put("inputFiles", " ")
          .put("deadLetters", "NOWHERE")
          .put("deadLetterFolder", " ")
          .put("deadLetterTopic", "a topic")
          .put("catalogName", "my lake")
          .put("catalogType", "rest catalog")
          .put("catalogUri", "http://catalog with blanks")
          .put("catalogWarehouse", "/my warehouse")
          .put("catalogProperties", "[1]")
          .put("icebergNamespace", "shop..orders")
          .put("writerId", "shop eu")
          .put("addedColumns", "ADD")
          .put("onRewind", "IGNORE")
          .put("icebergRowGrouping", "-1")
          .put("finalizationPolicy", "never()")
          .put("finalizationGranularityMinutes", "17")
          .put("requiredWriters", "shop eu")
          .put("idleTables", "SLEEP")
          .put("idleAfterMinutes", "0")
          .put("lateThreshold", "-5")
          .put("backfill", "yes please")
          .put("lateWebhook", "ftp://host/path")
          .put("lateDataFolder", "s3://late/shop")
          .put("upsertOrder", "RANDOM")
          .put("upsertShards", "40000")
          .put("upsertStrategy", "GUESS")
          .put("upsertTimeToLiveHours", "-1")
          .put("upsertBatchRows", "0")
          .put("upsertBatchAgeMillis", "-1")
          .put("upsertStoreMemoryMb", "-1")
          .put("dorisFrontends", "user:password@fe:8030")
          .put("dorisUser", "the loader")
          .put("dorisPassword", "hunter2")
          .put("dorisDatabase", "my/shop")
          .put("dorisTrustStore", " ")
          .put("dorisTrustStorePassword", "hunter2")
          .put("dorisDelivery", "ONCE")
          .put("dorisLabelPrefix", "shop/eu")
          .put("dorisShards", "0")
          .put("dorisMaxRows", "0")
          .put("dorisMaxMb", "2000")
          .put("dorisMaxAgeSeconds", "0")
          .put("dorisDatetimes", "LOCAL")
          .put("dorisRefusedRowsAreDeadLetters", "perhaps")
          .build();

  /** Any text will do. */
  private static final Set<String> NEVER_WRONG = Set.of("upsertStoreDirectory");

  @Test
  public void validOptionsPass() {
    CdcOptions options = CdcPipeline.options(arguments(Map.of()));
    assertThat(options.getKafkaServers().get(), is("127.0.0.1:9092"));
    assertThat(
        options.as(ExperimentalOptions.class).getExperiments(), hasItem("use_deprecated_read"));
    assertThat(options.getFinishBundleBeforeCheckpointing(), is(true));
  }

  @Test
  public void eachOptionHasAWrongValue() {
    Set<String> covered = new HashSet<>(WRONG.keySet());
    covered.addAll(NEVER_WRONG);
    assertThat(covered, is(Parameters.all().keySet()));
  }

  @Test
  public void wrongValueIsSaidOnceWithItsOption() {
    WRONG.forEach(
        (name, value) -> {
          List<String> ofOption =
              problems(Map.of(name, value)).stream()
                  .filter(problem -> problem.matches("(?s)Option --" + name + "\\b.*"))
                  .toList();
          assertThat(name + ": " + ofOption, ofOption.size(), is(1));
          assertThat(ofOption.get(0).length() > ("Option --" + name).length() + 10, is(true));
        });
  }

  @Test
  public void literalSecretIsRefusedAndNotRepeated() {
    ImmutableMap<String, String> secrets =
        ImmutableMap.<String, String>builder()
            .put("dorisPassword", "hunter2")
            .put("dorisTrustStorePassword", "hunter2")
            .put("dorisFrontends", "loader:hunter2@fe:8030")
            .put("catalogProperties", "{\"credential\": \"hunter2\"}")
            .put("catalogUri", "jdbc:postgresql://db/lake?password=hunter2")
            .put("kafkaProperties", "{\"sasl.jaas.config\": \"hunter2\"}")
            .put("lateWebhook", "https://alerts.example.com/?token=hunter2")
            .buildOrThrow();
    assertSecretsAreRefused(secrets);
    assertSecretsAreRefused(
        Map.of(
            "catalogProperties",
            "{\"s3.sse.key\": \"hunter2\"}",
            "catalogUri",
            "jdbc:postgresql://${env:USER}:hunter2@db/lake",
            "kafkaProperties",
            "{\"sasl.jaas.config\": \"M required username=${env:USER} password='hunter2';\"}"));
    assertSecretsAreRefused(
        Map.of("kafkaProperties", "{\"ssl.keystore.key\": \"${env:USER}hunter2\"}"));
  }

  @Test
  public void referencesAndWhatOnlySoundsLikeSecretsAreTaken() {
    String catalog =
        "{\"client.credentials-provider\": \"com.example.Keys\", \"token\": \"${env:T}\"}";
    String kafka = "{\"sasl.jaas.config\": \"M required username='u' password='${env:P}';\"}";

    CdcOptions options =
        CdcPipeline.options(
            arguments(Map.of("catalogProperties", catalog, "kafkaProperties", kafka)));

    assertThat(options.getCatalogProperties().get(), is(catalog));
    assertThat(options.getKafkaProperties().get(), is(kafka));
  }

  @Test
  public void kafkaPropertiesOfThePipelineAreRefused() {
    assertThat(
        message(Map.of("kafkaProperties", "{\"isolation.level\": \"read_uncommitted\"}")),
        containsString("--kafkaProperties sets isolation.level, which the pipeline sets itself"));
  }

  private static void assertSecretsAreRefused(Map<String, String> secrets) {
    for (Map.Entry<String, String> secret : secrets.entrySet()) {
      String message = message(Map.of(secret.getKey(), secret.getValue()));
      assertThat(message, containsString("--" + secret.getKey()));
      assertThat(message, not(containsString("hunter2")));
    }
  }

  @Test
  public void secretInAMalformedValueIsNotRepeated() {
    for (String name :
        List.of("kafkaProperties", "catalogProperties", "catalogUri", "lateWebhook")) {
      String message = message(Map.of(name, "password: hunter2"));
      assertThat(message, containsString("Option --" + name + " is not valid; it must be "));
      assertThat(message, not(containsString("hunter2")));
    }
  }

  @Test
  public void unreadableJsonIsNotRepeated() {
    String message = message(Map.of("kafkaProperties", "{\"sasl.jaas.config\": hunter2}"));
    assertThat(message, containsString("--kafkaProperties is no JSON, at line 1"));
    assertThat(message, not(containsString("hunter2")));
  }

  @Test
  public void eachRequiredOptionIsMissedByName() {
    for (Spec spec : Parameters.all().values()) {
      if (spec.isRequired()) {
        assertThat(
            problems(Map.of(spec.name(), "")),
            hasItem(startsWith("Option --" + spec.name() + " is missing: ")));
      }
    }
  }

  @Test
  public void everythingThatIsWrongIsSaidAtOnce() {
    String message =
        assertThrows(IllegalArgumentException.class, CdcPipeline::options).getMessage();
    assertThat(
        message,
        allOf(
            startsWith("Cannot run the pipeline: "),
            containsString("\n- Option --tables is missing: "),
            containsString("\n- Option --kafkaServers is missing: "),
            containsString("\n- Option --dorisPassword is missing: "),
            containsString("checkpointingInterval")));
  }

  @Test
  public void severalUnreadableValuesAreSaidAtOnce() {
    List<String> problems = problems(Map.of("dorisShards", "many", "onRewind", "GO_ON"));
    assertThat(
        problems,
        hasItem("Option --dorisShards is 'many'; it must be a whole number, from 1 to 1024"));
    assertThat(
        problems, hasItem("Option --onRewind is 'GO_ON'; it must be one of FAIL, PARK, ACCEPT"));
  }

  @Test
  public void unknownOptionIsNamed() {
    assertThat(problems(Map.of("dorisShard", "3")), hasItem(containsString("'dorisShard'")));
  }

  @Test
  public void filesNeedFilesAndNoBrokers() {
    List<String> problems = problems(Map.of("source", "FILES"));
    assertThat(
        problems, hasItem(startsWith("Option --inputFiles is missing: --source is FILES. ")));
    assertThat(problems, hasItem(startsWith("Option --kafkaServers does not go with the others")));
  }

  @Test
  public void kafkaExcludesFiles() {
    assertThat(
        problems(Map.of("inputFiles", "/data/*")),
        hasItem(startsWith("Option --inputFiles does not go with the others: --source is KAFKA")));
  }

  @Test
  public void deadLettersNeedTheirPlaceAndNoOther() {
    List<String> problems = problems(Map.of("deadLetters", "KAFKA"));
    assertThat(problems, hasItem(startsWith("Option --deadLetterTopic is missing: ")));
    assertThat(problems, hasItem(startsWith("Option --deadLetterFolder does not go with")));
    assertThat(
        problems(Map.of("deadLetterTopic", "letters")),
        hasItem(startsWith("Option --deadLetterTopic does not go with the others")));
  }

  @Test
  public void folderOfDeadLettersNeedsAFileSystemOfBeam() {
    Map<String, String> artifacts =
        Map.of(
            "s3://letters/shop", "org.apache.beam:beam-sdks-java-io-amazon-web-services2",
            "gs://letters/shop",
                "org.apache.beam:beam-sdks-java-extensions-google-cloud-platform-core",
            "hdfs://nn:8020/letters", "org.apache.beam:beam-sdks-java-io-hadoop-file-system",
            "azfs://account/letters", "org.apache.beam:beam-sdks-java-io-azure",
            "dfs://letters", "the artifact that brings it");
    artifacts.forEach(
        (folder, artifact) ->
            assertThat(
                problems(Map.of("deadLetterFolder", folder)),
                hasItem(
                    allOf(
                        startsWith("Option --deadLetterFolder is " + folder + ", and no file"),
                        containsString("Add " + artifact),
                        containsString("mounted by all processes")))));
  }

  @Test
  public void filesThatAreReadNeedAFileSystemOfBeam() {
    assertThat(
        problems(Map.of("source", "FILES", "kafkaServers", "", "inputFiles", "s3://events/*.gz")),
        hasItem(startsWith("Option --inputFiles is s3://events/*.gz, and no file system of Beam")));
    assertThat(
        problems(Map.of("tables", "gs://shop/tables.json")),
        hasItem(
            startsWith("Option --tables is gs://shop/tables.json, and no file system of Beam")));
  }

  @Test
  public void deadLettersInKafkaNeedBrokersForFilesToo() {
    assertThat(
        problems(
            Map.of(
                "source", "FILES",
                "inputFiles", "/data/*",
                "kafkaServers", "",
                "deadLetters", "KAFKA",
                "deadLetterFolder", "",
                "deadLetterTopic", "letters")),
        hasItem(startsWith("Option --kafkaServers is missing: --deadLetters is KAFKA")));
  }

  @Test
  public void trustStoreAndItsPasswordGoTogether() {
    assertThat(
        problems(Map.of("dorisTrustStore", "/etc/trust.p12")),
        hasItem(startsWith("Options --dorisTrustStore and --dorisTrustStorePassword go together")));
  }

  @Test
  public void requiredWritersHaveToNameThisOne() {
    assertThat(
        problems(Map.of("requiredWriters", "shop-us,shop-asia")),
        hasItem(startsWith("Option --requiredWriters is shop-us,shop-asia, without this")));
  }

  @Test
  public void upsertShardsBelowParallelismAreRefused() {
    assertThat(
        problems(Map.of("upsertShards", "2", "parallelism", "4")),
        hasItem(startsWith("Option --upsertShards is 2, below --parallelism 4")));
  }

  @Test
  public void optionsOfTheRunnerAreAmongTheProblems() {
    assertThat(
        problems(Map.of("checkpointingMode", "AT_LEAST_ONCE")),
        hasItem(containsString("--checkpointingMode=EXACTLY_ONCE")));
  }

  @Test
  public void parameterFileOfTheTemplatesIsValid() {
    CdcOptions options =
        CdcPipeline.options(
            "--parameterFile=templates/shop-parameters.json",
            "--tables=templates/shop-tables.json",
            "--parallelism=8");
    assertThat(options.getWriterId(), is("shop-eu"));
    assertThat(options.getParallelism(), is(8));
    assertThat(options.getJobName(), is("shop-eu"));
  }

  @Test
  public void missingParameterFileIsNamed() {
    assertThat(
        assertThrows(
                IllegalArgumentException.class,
                () -> CdcPipeline.options("--parameterFile=no-such.json"))
            .getMessage(),
        startsWith("Cannot read the options of --parameterFile=no-such.json: "));
  }

  @Test
  public void helpShowsTheGroups() {
    ByteArrayOutputStream help = new ByteArrayOutputStream();
    PipelineOptionsFactory.printHelp(new PrintStream(help, true, UTF_8), CdcOptions.class);
    String text = help.toString(UTF_8);
    for (Class<?> group : Parameters.GROUPS) {
      assertThat(text, containsString(group.getName() + ":"));
    }
    for (String name : Parameters.all().keySet()) {
      assertThat(text, containsString("--" + name));
    }
  }

  private static String[] arguments(Map<String, String> changed) {
    Map<String, String> all = new LinkedHashMap<>(VALID);
    all.putAll(changed);
    List<String> arguments = new ArrayList<>();
    all.forEach(
        (name, value) -> {
          if (!value.isEmpty()) {
            arguments.add("--" + name + "=" + value);
          }
        });
    return arguments.toArray(new String[0]);
  }

  private static String message(Map<String, String> changed) {
    return assertThrows(
            IllegalArgumentException.class, () -> CdcPipeline.options(arguments(changed)))
        .getMessage();
  }

  private static List<String> problems(Map<String, String> changed) {
    return Splitter.on("\n- ").splitToList(message(changed));
  }
}
