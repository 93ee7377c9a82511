package dev.tidemark.cli;

import dev.tidemark.sensor.EventTimeRange;
import dev.tidemark.sensor.Finalization;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Asks once. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = "Asks whether a range of event time is finalized: 0 yes, 3 no.")
final class CheckCommand extends TableVerb {
  @Mixin private RangeOptions range;

  CheckCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    Finalization finalization = finalization();
    EventTimeRange asked = asked(range, finalization);
    return Answers.give(this, finalization, finalization.status(asked), range.failOnLate());
  }
}
