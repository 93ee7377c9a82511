package dev.tidemark.cli;

import dev.tidemark.sensor.FinalizationException;
import org.apache.iceberg.catalog.TableIdentifier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Asks once. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description =
        "Asks whether a range of event time is finalized, in one table or in all that are given: 0"
            + " yes, 3 no.")
final class CheckCommand extends TableVerb {
  @Mixin private RangeOptions range;

  CheckCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    Answers answers = new Answers(this, range);
    boolean one = table().identifiers(commandLine()).size() == 1;
    for (TableIdentifier identifier : table().identifiers(commandLine())) {
      try {
        Answers.Question question = answers.question(identifier);
        answers.add(question, asked(() -> question.finalization().status(question.range())));
      } catch (FinalizationException e) {
        if (one) {
          throw e;
        }
        answers.add(identifier, e);
      }
    }
    return answers.give();
  }
}
