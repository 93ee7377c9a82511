package dev.tidemark.cli;

import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.operator.OperatorOutcome;
import dev.tidemark.operator.TableOperator;
import java.util.function.Function;
import org.checkerframework.checker.nullness.qual.Nullable;
import picocli.CommandLine.Option;

/** A verb that changes a table's watermark, or what it rests on. */
abstract class ActVerb extends TableVerb {
  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why; it is recorded in the table.")
  private @Nullable String reason;

  @Option(
      names = "--by",
      paramLabel = "NAME",
      description = "Who; it is recorded in the table. Default: the user that runs this.")
  private @Nullable String by;

  ActVerb(Environment environment) {
    super(environment);
  }

  /** Does what the verb is for, with the reason that was given. */
  final int act(Function<TableOperator, OperatorOutcome> act) {
    OperatorOutcome outcome;
    try {
      outcome = act.apply(operator());
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
    print(
        Json.outcome(table(), outcome),
        (outcome.changed() ? "" : "Nothing changed. ") + outcome.effect());
    return ExitCodes.FINALIZED;
  }

  final String reason() {
    if (reason == null) {
      throw usage("Missing --reason: say why; it is recorded in the table.");
    }
    return reason;
  }

  private TableOperator operator() {
    TableOperator operator =
        TableOperator.of(table().catalog(commandLine()), table().identifier(commandLine()))
            .branch(TidemarkKeys.forBranch(table().branch()).branch())
            .withClock(environment().clock())
            .withSleeper(environment().sleeper());
    return by == null ? operator : operator.by(by);
  }
}
