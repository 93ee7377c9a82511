package dev.tidemark.bundle;

import dev.tidemark.examples.cdc.CdcPipeline;
import dev.tidemark.examples.yaml.YamlPipeline;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.beam.sdk.expansion.service.ExpansionService;

/** The programs of the bundle by their names. */
public final class Programs {
  private static final String USAGE =
      """
      Usage: java -jar tidemark-bundle.jar PROGRAM [--option=value ...]
             flink run tidemark-bundle.jar PROGRAM [--option=value ...]

      Programs:
        cdc                change events from Kafka or files into Iceberg change tables and Doris
        expansion-service  the transforms for Beam YAML and other languages; takes a port
        yaml               a pipeline in Beam YAML; takes --yaml_pipeline_file
        help               this text
      """;

  /** What Beam gives to a jar that it starts as an expansion service: the port comes first. */
  private static final Pattern PORT = Pattern.compile("\\d{1,5}");

  private Programs() {}

  /**
   * Runs the program that the first argument names.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public static void main(String[] args) throws Exception {
    String name = args.length == 0 ? "help" : args[0];
    switch (name) {
      case "cdc" -> CdcPipeline.main(rest(args));
      case "expansion-service" -> serve(rest(args));
      case "yaml" -> YamlPipeline.main(rest(args));
      case "help", "--help" -> System.out.print(USAGE);
      default -> {
        if (!PORT.matcher(name).matches()) {
          throw new IllegalArgumentException(
              "Cannot run " + name + ": there is no such program. Take one of these.\n\n" + USAGE);
        }
        serve(args);
      }
    }
  }

  private static String[] rest(String[] args) {
    return Arrays.copyOfRange(args, 1, args.length);
  }

  private static void serve(String[] args) throws Exception {
    if (args.length == 0 || !PORT.matcher(args[0]).matches()) {
      throw new IllegalArgumentException(
          "Cannot run expansion-service: its first argument must be a port, for example 8097");
    }
    ExpansionService.main(args);
  }
}
