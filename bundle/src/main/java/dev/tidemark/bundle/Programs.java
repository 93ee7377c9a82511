package dev.tidemark.bundle;

import dev.tidemark.examples.cdc.CdcPipeline;
import java.util.Arrays;

/** The programs of the bundle by their names. */
public final class Programs {
  private static final String USAGE =
      """
      Usage: java -jar tidemark-bundle.jar PROGRAM [--option=value ...]
             flink run tidemark-bundle.jar PROGRAM [--option=value ...]

      Programs:
        cdc      change events from Kafka or files into Iceberg change tables and Doris
        help     this text
      """;

  private Programs() {}

  /**
   * Runs the program that the first argument names.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public static void main(String[] args) throws Exception {
    String name = args.length == 0 ? "help" : args[0];
    switch (name) {
      case "cdc" -> CdcPipeline.main(Arrays.copyOfRange(args, 1, args.length));
      case "help", "--help" -> System.out.print(USAGE);
      default ->
          throw new IllegalArgumentException(
              "Cannot run " + name + ": there is no such program. Take one of these.\n\n" + USAGE);
    }
  }
}
