package dev.tidemark.cli;

import com.google.common.collect.ImmutableList;
import dev.tidemark.operator.Doctor;
import dev.tidemark.operator.Finding;
import dev.tidemark.operator.Finding.Severity;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Examines a table. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description =
        "Examines a table: rights, fence, watermark, keys, writers, expiry. Changes nothing. 6 if"
            + " there is an error.")
final class DoctorCommand extends TableVerb {
  @Option(
      names = "--silent-after",
      defaultValue = "1h",
      paramLabel = "DURATION",
      description = "A writer that was not heard of for this long is silent. Default: 1h.")
  private String silentAfter;

  @Option(
      names = "--fail-on",
      defaultValue = "error",
      paramLabel = "SEVERITY",
      description = "From which severity on the exit code is 6: warning or error. Default: error.")
  private String failOn;

  DoctorCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    Severity limit =
        switch (failOn) {
          case "error" -> Severity.ERROR;
          case "warning" -> Severity.WARNING;
          default ->
              throw usage("Invalid --fail-on: %s (must be warning or error)".formatted(failOn));
        };
    Duration silence = duration("--silent-after", silentAfter);
    ImmutableList<Finding> findings = doctor(silence).examine();
    print(Json.findings(table(), findings), text(findings));
    return findings.stream().anyMatch(finding -> finding.severity().compareTo(limit) >= 0)
        ? ExitCodes.FOUND
        : ExitCodes.FINALIZED;
  }

  private Doctor doctor(Duration silence) {
    try {
      return Doctor.of(table().catalog(commandLine()), table().identifier(commandLine()))
          .branch(table().branch())
          .withClock(environment().clock())
          .withSilentAfter(silence);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
  }

  private static String text(ImmutableList<Finding> findings) {
    TextTable table = TextTable.headed("SEVERITY", "CHECK", "FOUND");
    for (Finding finding : findings) {
      table.row(
          finding.severity().name(),
          finding.check(),
          finding.remedy() == null
              ? finding.message() + "."
              : finding.message() + ". " + finding.remedy());
    }
    return table.text();
  }
}
