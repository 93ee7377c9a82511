package dev.tidemark.examples.cdc;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.examples.cdc.CdcOptions.Source;
import dev.tidemark.examples.cdc.DeadLetterOptions.DeadLetters;
import dev.tidemark.examples.cdc.Parameters.Spec;
import dev.tidemark.finalization.Policies;
import dev.tidemark.once.PipelineChecks;
import dev.tidemark.secrets.BareSecrets;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.options.ValueProvider;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/**
 * Looks at all options before anything starts, and tells everything that is wrong at once. Values
 * that are told when the pipeline runs are not read.
 */
final class OptionsCheck {
  /** What the pipeline sets itself. */
  private static final ImmutableSet<String> OWN_KAFKA_PROPERTIES =
      ImmutableSet.of(
          "bootstrap.servers",
          "auto.offset.reset",
          "isolation.level",
          "enable.auto.commit",
          "key.deserializer",
          "value.deserializer");

  private final CdcOptions options;
  private final List<String> problems = new ArrayList<>();

  private OptionsCheck(CdcOptions options) {
    this.options = options;
  }

  /**
   * Checks options.
   *
   * @throws IllegalArgumentException with everything that is wrong, each naming its option
   */
  static void check(CdcOptions options) {
    List<String> problems = problems(options);
    if (!problems.isEmpty()) {
      throw CommandLine.refusal(problems);
    }
  }

  static List<String> problems(CdcOptions options) {
    OptionsCheck check = new OptionsCheck(options);
    Parameters.all().values().forEach(check::checkValue);
    check.checkSource();
    check.checkDeadLetters();
    check.checkMeaning();
    check.checkSecrets();
    check.checkTogether();
    check.checkRunner();
    return check.problems;
  }

  /** What a value of an option has to be, in words that follow "must be". */
  static String expects(Spec spec) {
    Parameter parameter = spec.parameter();
    if (spec.isNumber()) {
      String range =
          parameter.max() == Long.MAX_VALUE
              ? String.format("at least %s", parameter.min())
              : String.format("from %s to %s", parameter.min(), parameter.max());
      return "a whole number, " + range;
    }
    if (spec.isBoolean()) {
      return "true or false";
    }
    return spec.type().isEnum()
        ? "one of " + String.join(", ", names(spec.type()))
        : parameter.expects();
  }

  static List<String> names(Class<?> enumeration) {
    return Arrays.stream(enumeration.getEnumConstants())
        .map(constant -> ((Enum<?>) constant).name())
        .toList();
  }

  private void checkValue(Spec spec) {
    if (isMissing(spec.name())) {
      if (spec.isRequired()) {
        require(spec);
      }
      return;
    }
    Object value = value(spec);
    if (value == null) {
      return;
    }
    String text = value.toString();
    boolean valid =
        value instanceof Number number
            ? number.longValue() >= spec.parameter().min()
                && number.longValue() <= spec.parameter().max()
            : spec.parameter().regex().isEmpty() || text.matches(spec.parameter().regex());
    if (!valid) {
      String shown = spec.parameter().quoted() ? "'" + text + "'" : "not valid";
      problems.add(
          String.format("Option --%s is %s; it must be %s", spec.name(), shown, expects(spec)));
    }
  }

  private void require(Spec spec) {
    problems.add(
        String.format(
            "Option --%s is missing: %s", spec.name(), firstSentence(spec.description())));
  }

  private static String firstSentence(String description) {
    return description.substring(0, description.indexOf(". ") + 1);
  }

  /** Whether there is no value, nor will be one when the pipeline runs. */
  private boolean isMissing(String name) {
    Object value = raw(Parameters.named(name));
    if (value instanceof ValueProvider<?> provider) {
      return !Given.isGiven(provider);
    }
    return value == null || value.equals("");
  }

  /** The value, or null if only workers can read it. */
  private @Nullable Object value(Spec spec) {
    Object value = raw(spec);
    if (value instanceof ValueProvider<?> provider) {
      return provider.isAccessible() ? provider.get() : null;
    }
    return value;
  }

  private String text(String name) {
    Spec spec = Parameters.named(name);
    Object value = isMissing(name) ? spec.defaultValue() : value(spec);
    return value == null ? "" : value.toString();
  }

  private @Nullable Object raw(Spec spec) {
    try {
      return spec.getter().invoke(options);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("Cannot read option --" + spec.name(), e);
    }
  }

  private void checkSource() {
    if (options.getSource() == Source.KAFKA) {
      needs("kafkaServers", "--source is KAFKA");
      excludes("inputFiles", "--source is KAFKA, which reads topics");
    } else {
      needs("inputFiles", "--source is FILES");
    }
  }

  private void checkDeadLetters() {
    if (options.getDeadLetters() == DeadLetters.FILES) {
      needs("deadLetterFolder", "--deadLetters is FILES");
      excludes("deadLetterTopic", "--deadLetters is FILES");
    } else {
      needs("deadLetterTopic", "--deadLetters is KAFKA");
      excludes("deadLetterFolder", "--deadLetters is KAFKA");
      if (options.getSource() == Source.FILES) {
        needs("kafkaServers", "--deadLetters is KAFKA");
      }
    }
    boolean usesKafka =
        options.getSource() == Source.KAFKA || options.getDeadLetters() == DeadLetters.KAFKA;
    if (!usesKafka) {
      excludes("kafkaServers", "--source is FILES and so is --deadLetters");
    }
  }

  /** One problem of an option is enough: the others may follow from it. */
  private boolean isNew(String name) {
    return problems.stream()
        .noneMatch(problem -> problem.matches("(?s)Option --" + name + "\\b.*"));
  }

  private void needs(String name, String reason) {
    if (isMissing(name) && isNew(name)) {
      problems.add(
          String.format(
              "Option --%s is missing: %s. %s",
              name, reason, firstSentence(Parameters.named(name).description())));
    }
  }

  private void excludes(String name, String reason) {
    if (!isMissing(name) && isNew(name)) {
      problems.add(
          String.format("Option --%s does not go with the others: %s. Remove it", name, reason));
    }
  }

  /** Values that only those who use them can judge. */
  private void checkMeaning() {
    judge(
        "tables",
        () -> {
          BeamFiles.require("tables", options.getTables(), options);
          SourceTables.read(options.getTables());
        });
    judgePlace("inputFiles");
    judgePlace("deadLetterFolder");
    judgePlace("lateDataFolder");
    judge("kafkaProperties", () -> refuseOwn(text("kafkaProperties")));
    judge(
        "catalogProperties",
        () -> JsonTexts.parse("--catalogProperties", text("catalogProperties")));
    judge("finalizationPolicy", () -> Policies.parse(options.getFinalizationPolicy()));
    judge(
        "finalizationGranularityMinutes",
        () ->
            dev.tidemark.iceberg.FinalizationOptions.defaults()
                .withGranularity(
                    Duration.standardMinutes(options.getFinalizationGranularityMinutes())));
  }

  private static void refuseOwn(String kafkaProperties) {
    for (String key : JsonTexts.parse("--kafkaProperties", kafkaProperties).keySet()) {
      if (OWN_KAFKA_PROPERTIES.contains(key)) {
        throw new IllegalArgumentException(
            String.format(
                "Option --kafkaProperties sets %s, which the pipeline sets itself. Leave it out",
                key));
      }
    }
  }

  private void judgePlace(String name) {
    if (!text(name).isEmpty()) {
      judge(name, () -> BeamFiles.require(name, text(name), options));
    }
  }

  private void judge(String name, Runnable use) {
    if (!isNew(name)) {
      return;
    }
    try {
      use.run();
    } catch (RuntimeException e) {
      String before = "Option --" + name;
      String reason = e.getMessage();
      problems.add(reason.startsWith(before) ? reason : before + ": " + reason);
    }
  }

  private void checkSecrets() {
    refuseSecrets("kafkaProperties");
    refuseSecrets("catalogProperties");
    refuseSecretInAddress("catalogUri");
    refuseSecretInAddress("lateWebhook");
  }

  private void refuseSecrets(String name) {
    try {
      JsonTexts.parse("--" + name, text(name))
          .forEach(
              (key, value) -> {
                if (BareSecrets.isOne(key, value)) {
                  problems.add(
                      String.format(
                          "Option --%s holds the value of %s itself, which would be in the job graph."
                              + " Use a reference, ${env:NAME} or ${file:/path}",
                          name, key));
                }
              });
    } catch (IllegalArgumentException e) {
      // Told already, where the meaning is checked.
    }
  }

  private void refuseSecretInAddress(String name) {
    if (BareSecrets.isInAddress(text(name))) {
      problems.add(
          String.format(
              "Option --%s holds a password, which would be in the job graph. Use a reference,"
                  + " ${env:NAME} or ${file:/path}, in its place",
              name));
    }
  }

  private void checkTogether() {
    if (isMissing("dorisTrustStore") != isMissing("dorisTrustStorePassword")) {
      problems.add(
          "Options --dorisTrustStore and --dorisTrustStorePassword go together: set both or none");
    }
    String writers = options.getRequiredWriters();
    if (!writers.isEmpty()
        && isNew("requiredWriters")
        && options.getWriterId() != null
        && !ImmutableSet.copyOf(Splitter.on(',').split(writers)).contains(options.getWriterId())) {
      problems.add(
          String.format(
              "Option --requiredWriters is %s, without this pipeline's --writerId %s, so that its rows"
                  + " would be finalized without asking it. Add it",
              writers, options.getWriterId()));
    }
    if (options.getUpsertShards() < options.getParallelism() && isNew("upsertShards")) {
      problems.add(
          String.format(
              "Option --upsertShards is %s, below --parallelism %s: some workers would get nothing. Set"
                  + " it to at least four times the highest parallelism",
              options.getUpsertShards(), options.getParallelism()));
    }
  }

  private void checkRunner() {
    try {
      PipelineChecks.requireStreaming("the pipeline", options);
    } catch (IllegalArgumentException e) {
      problems.add(e.getMessage());
    }
  }
}
