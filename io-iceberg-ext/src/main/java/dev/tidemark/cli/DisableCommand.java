package dev.tidemark.cli;

import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes a table out. */
@Command(
    name = "disable",
    mixinStandardHelpOptions = true,
    description =
        "Takes watermark, policy, writers and evidence from a table, so that nothing waits on it."
            + " Refused while a pipeline writes.")
final class DisableCommand extends ActVerb {
  @Option(names = "--force", description = "Do so although a pipeline writes.")
  private boolean force;

  @Option(
      names = "--quiet",
      defaultValue = "1h",
      paramLabel = "DURATION",
      description = "For how long no writer must have been heard of. Default: 1h.")
  private String quiet;

  DisableCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    String reason = reason();
    Duration silence = duration("--quiet", quiet);
    return act(operator -> operator.disable(reason, force, silence));
  }
}
