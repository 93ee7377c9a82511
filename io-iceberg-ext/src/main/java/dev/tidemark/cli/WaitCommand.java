package dev.tidemark.cli;

import com.google.common.collect.ImmutableList;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationStatus;
import dev.tidemark.sensor.Finalizations;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks until the answer is yes. */
@Command(
    name = "wait",
    mixinStandardHelpOptions = true,
    description =
        "Waits until a range of event time is finalized, in all tables that are given: 0 yes, 3 waiting does not help, 4 timed"
            + " out.")
final class WaitCommand extends TableVerb {
  private static final Duration MAX_POLL = Duration.ofDays(1);

  @Mixin private RangeOptions range;

  @Option(
      names = "--timeout",
      defaultValue = "1h",
      paramLabel = "DURATION",
      description = "How long to wait, such as 90s, 30m, 2h; 0s asks once. Default: 1h.")
  private String timeout;

  @Option(
      names = "--poll",
      defaultValue = "30s",
      paramLabel = "DURATION",
      description = "Pause between two questions, 1ms to 1d. Default: 30s.")
  private String poll;

  @Option(
      names = "--outage",
      defaultValue = "10m",
      paramLabel = "DURATION",
      description =
          "How long the catalog may be away during the wait; five failures in a row are borne in any"
              + " case. Default: 10m.")
  private String outage;

  WaitCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    Duration longest = duration("--timeout", timeout);
    Duration pause = duration("--poll", poll);
    Duration away = duration("--outage", outage);
    if (pause.toMillis() < 1 || pause.compareTo(MAX_POLL) > 0) {
      throw usage("Invalid --poll: %s (must be 1ms to 1d)".formatted(poll));
    }
    Answers answers = new Answers(this, range);
    ImmutableList<Answers.Question> questions = answers.questions();
    Finalizations finalizations = null;
    for (Answers.Question question : questions) {
      Finalization finalization = question.finalization().withOutage(away);
      finalizations =
          finalizations == null
              ? Finalizations.of(finalization, question.range())
              : finalizations.and(finalization, question.range());
    }
    ImmutableList<FinalizationStatus> statuses = await(finalizations, longest, pause);
    if (Finalizations.worst(statuses) != FinalizationStatus.State.NOT_COVERED
        && !statuses.stream().allMatch(FinalizationStatus::isSettled)) {
      answers.timedOut();
    }
    for (int i = 0; i < statuses.size(); i++) {
      answers.add(questions.get(i), statuses.get(i));
    }
    return answers.give();
  }

  private ImmutableList<FinalizationStatus> await(
      Finalizations finalizations, Duration longest, Duration pause) throws InterruptedException {
    Progress progress = new Progress(err(), table(), environment());
    try {
      return finalizations.await(longest, pause, progress);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    } finally {
      progress.end();
    }
  }
}
