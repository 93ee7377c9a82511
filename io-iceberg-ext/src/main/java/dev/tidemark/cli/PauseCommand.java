package dev.tidemark.cli;

import picocli.CommandLine.Command;

/** Keeps the watermark where it is; data are committed as before. */
@Command(
    name = "pause",
    mixinStandardHelpOptions = true,
    description = "Keeps the watermark where it is; data are committed as before.")
final class PauseCommand extends ActVerb {
  PauseCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    String reason = reason();
    return act(operator -> operator.pause(reason));
  }
}
