package dev.tidemark.examples.reference;

import dev.tidemark.examples.cdc.TemplateMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page of all options, fields, keys, metrics and exit codes. */
public final class ReferencePage {
  static final String PAGE = "docs/reference-generated.md";

  private static final String BEGIN =
      """
      # All names

      Options, fields of schema transforms, keys, metrics and exit codes. This page is made of the code by
      `examples/templates.sh`; do not edit it (`pageIsThatOfTheCode`). What the names mean together is in the other pages.

      """;

  private ReferencePage() {}

  /** Writes the page; the argument is the project's folder. */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    Files.writeString(root.resolve(PAGE), page(root));
  }

  /** The page as it should be. */
  static String page(Path root) throws IOException {
    return BEGIN
        + "## Options of the change pipeline\n\n"
        + "For `java -jar tidemark-bundle.jar cdc`; [the manual](reference-cdc-pipeline.md).\n"
        + TemplateMetadata.optionsTable()
        + "## Options of each pipeline on Flink\n\n"
        + FlinkOptionRows.table()
        + "\n## Schema transforms\n\n"
        + "For Beam YAML and other languages; [how to use them](how-to-compose-with-yaml.md). A field that"
        + " is not marked as required may be left out.\n"
        + SchemaTransformTables.all()
        + "## Command line\n\n"
        + "`tidemark`; [the manual](reference-command-line.md).\n"
        + CommandTables.all()
        + "## Keys\n\n"
        + "What is stored in a table; [the manual](reference-keys.md).\n\n"
        + KeyTable.of(root)
        + "\n## Metrics\n\n"
        + "[What each means, and what to do](reference-metrics.md).\n\n"
        + MetricTable.of(root);
  }

  /** A text within a cell of a table. */
  static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").replaceAll("\\s+", " ").trim();
  }
}
