package dev.tidemark.cli;

import picocli.CommandLine.Command;

/** Lets the watermark of a paused or disabled table move again. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    description = "Lets the watermark of a paused or disabled table move again.")
final class ResumeCommand extends ActVerb {
  ResumeCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    String reason = reason();
    return act(operator -> operator.resume(reason));
  }
}
