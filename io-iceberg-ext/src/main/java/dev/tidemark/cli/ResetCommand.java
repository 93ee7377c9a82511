package dev.tidemark.cli;

import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Puts the watermark somewhere else. */
@Command(
    name = "reset",
    mixinStandardHelpOptions = true,
    description =
        "Moves the watermark back, or takes it away, and pauses the table until it is resumed. What"
            + " was known before does not count any more.")
final class ResetCommand extends ActVerb {
  private static final String NONE = "none";

  @Option(
      names = "--to",
      required = true,
      paramLabel = "TIME",
      description =
          "Where the watermark goes: 2026-01-01T05:00Z, or with --zone a local time; none.")
  private String to;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "Zone of a time without an offset, such as Europe/Berlin or UTC.")
  private @Nullable String zone;

  @Option(
      names = "--force",
      description = "Move the watermark forward, too, although no evidence says so.")
  private boolean force;

  @Option(
      names = "--go-on",
      description =
          "Do not pause: the watermark moves on as soon as evidence from after the reset lets the"
              + " policy move it.")
  private boolean goOn;

  ResetCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    String reason = reason();
    Instant time = time();
    return act(operator -> operator.reset(time, reason, force, goOn));
  }

  private @Nullable Instant time() {
    try {
      return to.equals(NONE) ? null : Times.start("--to", to, Times.zone(zone));
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
  }
}
