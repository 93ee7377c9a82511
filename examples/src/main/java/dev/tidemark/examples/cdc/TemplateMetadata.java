package dev.tidemark.examples.cdc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import dev.tidemark.examples.cdc.Parameters.Spec;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.sdk.options.Description;

/**
 * Writes what the options say of themselves: metadata of the template, in the form of Dataflow's,
 * and the table of the manual.
 */
public final class TemplateMetadata {
  static final String METADATA = "examples/templates/cdc-metadata.json";
  static final String MANUAL = "docs/reference-cdc-pipeline.md";
  private static final String TABLE_BEGIN =
      "<!-- The options, generated from their interfaces. -->\n";
  private static final String TABLE_END = "<!-- End of the options. -->\n";

  /** Options of the runner that everybody has to think about. */
  private static final ImmutableList<FlinkParameter> FLINK =
      ImmutableList.of(
          new FlinkParameter("checkpointingInterval", "Milliseconds between two commits", true),
          new FlinkParameter("flinkMaster", "Address of the cluster", false),
          new FlinkParameter("maxParallelism", "Highest parallelism, part of the state", false),
          new FlinkParameter("parallelism", "Parallelism", false),
          new FlinkParameter("savepointPath", "State to begin with", false));

  private record FlinkParameter(String name, String label, boolean required) {
    String description() {
      String getter = "get" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
      try {
        Method method = FlinkPipelineOptions.class.getMethod(getter);
        return method.getAnnotation(Description.class).value().replaceAll("\\s+", " ").trim();
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException("Cannot find option --" + name + " of the runner", e);
      }
    }

    boolean isNumber() {
      return !name.equals("flinkMaster") && !name.equals("savepointPath");
    }
  }

  private TemplateMetadata() {}

  /** Writes both files; the argument is the project's folder. */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    Files.writeString(root.resolve(METADATA), metadata());
    Path manual = root.resolve(MANUAL);
    Files.writeString(manual, withTable(Files.readString(manual)));
  }

  static String metadata() throws JsonProcessingException {
    ObjectMapper json = new ObjectMapper();
    ObjectNode template = json.createObjectNode();
    template.put("name", "Change pipeline");
    template.put(
        "description",
        "Change events of Debezium from Kafka or files into Iceberg change tables with finalization,"
            + " and as upserts into Doris");
    ArrayNode parameters = template.putArray("parameters");
    Parameters.all().values().forEach(spec -> add(parameters.addObject(), spec));
    FLINK.forEach(flink -> add(parameters.addObject(), flink));
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.withLinefeed("\n"));
    printer.indentObjectsWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.withLinefeed("\n"));
    return json.writer(printer).writeValueAsString(template) + "\n";
  }

  private static void add(ObjectNode node, Spec spec) {
    node.put("name", spec.name());
    node.put("label", spec.parameter().label());
    node.put("helpText", spec.description());
    node.put("isOptional", !spec.isRequired());
    if (!spec.parameter().regex().isEmpty()) {
      node.putArray("regexes").add("^(" + spec.parameter().regex() + ")$");
    } else if (spec.isNumber()) {
      node.putArray("regexes").add("^-?[0-9]+$");
    }
    node.put("paramType", type(spec));
    if (spec.type().isEnum()) {
      ArrayNode options = node.putArray("enumOptions");
      OptionsCheck.names(spec.type()).forEach(name -> options.addObject().put("value", name));
    }
    Object defaultValue = spec.defaultValue();
    if (defaultValue != null) {
      node.put("defaultValue", defaultValue.toString());
    }
    node.put("groupName", spec.group().getSimpleName());
    node.putObject("customMetadata").put("readBy", readBy(spec));
  }

  private static void add(ObjectNode node, FlinkParameter flink) {
    node.put("name", flink.name());
    node.put("label", flink.label());
    node.put("helpText", flink.description());
    node.put("isOptional", !flink.required());
    if (flink.isNumber()) {
      node.putArray("regexes").add("^-?[0-9]+$");
    }
    node.put("paramType", flink.isNumber() ? "NUMBER" : "TEXT");
    node.put("groupName", FlinkOptions.class.getSimpleName());
    node.putObject("customMetadata").put("readBy", "launcher");
  }

  private static String type(Spec spec) {
    if (spec.isNumber()) {
      return "NUMBER";
    }
    if (spec.isBoolean()) {
      return "BOOLEAN";
    }
    return spec.type().isEnum() ? "ENUM" : "TEXT";
  }

  private static String readBy(Spec spec) {
    return spec.runtime() ? "workers" : "launcher";
  }

  /**
   * The manual with the table as it should be.
   *
   * @throws IllegalArgumentException if it has no place for the table
   */
  static String withTable(String manual) {
    int begin = manual.indexOf(TABLE_BEGIN);
    int end = manual.indexOf(TABLE_END);
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot write the options into the manual: it lacks the lines %s and %s. Put them back",
              TABLE_BEGIN.trim(), TABLE_END.trim()));
    }
    return manual.substring(0, begin + TABLE_BEGIN.length())
        + optionsTable()
        + manual.substring(end);
  }

  /** The options by their interfaces, as tables. */
  public static String optionsTable() {
    StringBuilder table = new StringBuilder();
    for (Class<?> group : Parameters.GROUPS) {
      begin(table, group);
      Parameters.all().values().stream()
          .filter(spec -> spec.group() == group)
          .forEach(
              spec -> row(table, spec.name(), readBy(spec), accepts(spec), spec.description()));
    }
    begin(table, FlinkOptions.class);
    for (FlinkParameter flink : FLINK) {
      String accepts = flink.isNumber() ? "a whole number" : "a text";
      row(table, flink.name(), "launcher", accepts, flink.label() + ". " + flink.description());
    }
    return table.append('\n').toString();
  }

  private static void begin(StringBuilder table, Class<?> group) {
    table
        .append("\n### ")
        .append(group.getSimpleName())
        .append("\n\n| option | read by | accepts | meaning |\n| --- | --- | --- | --- |\n");
  }

  private static void row(
      StringBuilder table, String name, String readBy, String accepts, String meaning) {
    table
        .append("| `--")
        .append(name)
        .append("` | ")
        .append(readBy)
        .append(" | ")
        .append(escaped(accepts))
        .append(" | ")
        .append(escaped(meaning))
        .append(" |\n");
  }

  private static String accepts(Spec spec) {
    String accepts = OptionsCheck.expects(spec);
    return accepts.isEmpty() ? "a text" : accepts;
  }

  private static String escaped(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;");
  }
}
