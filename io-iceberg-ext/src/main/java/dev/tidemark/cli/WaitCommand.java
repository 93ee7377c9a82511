package dev.tidemark.cli;

import dev.tidemark.sensor.EventTimeRange;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationStatus;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks until the answer is yes. */
@Command(
    name = "wait",
    mixinStandardHelpOptions = true,
    description =
        "Waits until a range of event time is finalized: 0 yes, 3 waiting does not help, 4 timed"
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

  WaitCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    Duration longest = duration("--timeout", timeout);
    Duration pause = duration("--poll", poll);
    if (longest.isNegative()) {
      throw usage("Invalid --timeout: %s (must be >= 0)".formatted(timeout));
    }
    if (pause.toMillis() < 1 || pause.compareTo(MAX_POLL) > 0) {
      throw usage("Invalid --poll: %s (must be 1ms to 1d)".formatted(poll));
    }
    Finalization finalization = finalization();
    EventTimeRange asked = asked(range, finalization);
    FinalizationStatus status =
        finalization.await(
            asked, longest, pause, new Progress(err(), table(), environment().clock()));
    return Answers.give(this, finalization, status, range.failOnLate(), !status.isSettled());
  }

  private Duration duration(String option, String text) {
    try {
      return Times.duration(option, text);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
  }
}
