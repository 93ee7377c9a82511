package dev.tidemark.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationStatus;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A verb about one table. */
abstract class TableVerb implements Callable<Integer> {
  private final Environment environment;

  @Spec private CommandSpec spec;
  @Mixin private TableOptions table;

  @Option(names = "--json", description = "Write one JSON object instead of text.")
  private boolean json;

  @Option(names = "--debug", description = "Show the stack of an error.")
  private boolean debug;

  TableVerb(Environment environment) {
    this.environment = environment;
  }

  final Environment environment() {
    return environment;
  }

  final TableOptions table() {
    return table;
  }

  final boolean debug() {
    return debug;
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  final CommandLine commandLine() {
    return spec.commandLine();
  }

  /** The finalization of the only table, loaded anew for each question. */
  final Finalization finalization() {
    return finalization(table.identifier(spec.commandLine()));
  }

  /** A table's finalization, loaded anew for each question. */
  final Finalization finalization(TableIdentifier identifier) {
    CatalogConfig catalog = table.catalog(spec.commandLine());
    return table
        .on(Finalization.of(catalog, identifier), spec.commandLine())
        .withClock(environment.clock())
        .withSleeper(environment.sleeper())
        .withRandom(environment.random());
  }

  /** Whether JSON is asked for instead of text. */
  final boolean isJson() {
    return json;
  }

  /** What is wrong with the arguments. */
  final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  final ParameterException usage(String message, @Nullable Throwable cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }

  /** A duration; whatever is wrong with it is wrong usage. */
  final Duration duration(String option, String text) {
    Duration duration;
    try {
      duration = Times.duration(option, text);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
    if (duration.isNegative()) {
      throw usage("Invalid %s: %s (must be >= 0)".formatted(option, text));
    }
    return duration;
  }

  /** An answer; a range that a signal cannot answer for is wrong usage. */
  final FinalizationStatus asked(Supplier<FinalizationStatus> question) {
    try {
      return question.get();
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
  }

  /** Writes what the verb found out, in the form that was asked for. */
  final void print(ObjectNode object, String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? Json.text(object) : text);
    out.flush();
  }
}
