package dev.tidemark.examples.yaml;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.schematransform.Configuring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.event.Level;

/** Transforms that each document of Beam YAML may use without listing a provider. */
final class StandardTransforms {
  private static final String BEAM = "beam:schematransform:org.apache.beam:";

  /** Those that Beam has in Java, under the names of Beam YAML. */
  static final ImmutableMap<String, String> URNS =
      ImmutableMap.<String, String>builder()
          .put("Explode", BEAM + "yaml:explode:v1")
          .put("Filter", BEAM + "yaml:filter-java:v1")
          .put("Flatten", BEAM + "yaml:flatten:v1")
          .put("MapToFields", BEAM + "yaml:map_to_fields-java:v1")
          .put("ReadFromKafka", BEAM + "kafka_read:v1")
          .put("WriteToKafka", BEAM + "kafka_write:v1")
          .buildOrThrow();

  /**
   * Those that Beam has in Python only, and {@code LogForTesting}, whose Java form needs a library
   * that Beam does not bring.
   */
  static final ImmutableSet<String> OWN =
      ImmutableSet.of("Create", "LogForTesting", "ReadFromText");

  private static final Schema LINE = Schema.builder().addStringField("line").build();
  private static final Schema LOG_CONFIG =
      Schema.builder().addNullableStringField("level").addNullableStringField("prefix").build();

  private StandardTransforms() {}

  /** Applies one of {@link #OWN}. */
  static PCollectionRowTuple apply(
      Pipeline pipeline, YamlDocument.Step step, PCollectionRowTuple input) {
    boolean isRoot = !step.type().equals("LogForTesting");
    checkArgument(
        input.getAll().size() == (isRoot ? 0 : 1),
        "Invalid transform %s: it takes %s",
        step.name(),
        isRoot ? "no input" : "one input");
    PCollection<Row> rows =
        switch (step.type()) {
          case "Create" -> create(pipeline, step);
          case "LogForTesting" -> log(input.getSinglePCollection(), step);
          case "ReadFromText" -> readFromText(pipeline, step);
          default -> throw new AssertionError(step.type());
        };
    return PCollectionRowTuple.of("output", rows);
  }

  private static PCollection<Row> log(PCollection<Row> rows, YamlDocument.Step step) {
    Row config = ConfigRows.row("transform " + step.name(), LOG_CONFIG, step.config());
    String level = config.getString("level");
    String prefix = config.getString("prefix");
    return rows.apply(
            step.name(),
            ParDo.of(
                new LogRowsFn(
                    level == null ? Level.INFO : Configuring.constant(Level.class, level),
                    prefix == null ? "" : prefix)))
        .setRowSchema(rows.getSchema());
  }

  private static PCollection<Row> readFromText(Pipeline pipeline, YamlDocument.Step step) {
    checkArgument(
        step.config().keySet().equals(ImmutableSet.of("path")),
        "Invalid config of transform %s: it must have path and nothing else",
        step.name());
    return pipeline
        .apply(step.name(), TextIO.read().from(step.config().get("path").toString()))
        .apply(
            step.name() + "/Rows",
            MapElements.into(TypeDescriptors.rows())
                .via(line -> Row.withSchema(LINE).addValue(line).build()))
        .setRowSchema(LINE);
  }

  /** The type of a field is that of its first value; all may be null. */
  private static PCollection<Row> create(Pipeline pipeline, YamlDocument.Step step) {
    checkArgument(
        step.config().get("elements") instanceof List<?> elements && !elements.isEmpty(),
        "Invalid config of transform %s: it must have a list of elements",
        step.name());
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Object element : (List<?>) step.config().get("elements")) {
      rows.add(YamlDocument.map("an element of transform " + step.name(), element));
    }
    Schema.Builder schema = Schema.builder();
    for (String field : rows.get(0).keySet()) {
      Object first =
          rows.stream().map(row -> row.get(field)).filter(v -> v != null).findFirst().orElse("");
      schema.addNullableField(field, type(step, field, first));
    }
    Schema built = schema.build();
    return pipeline.apply(
        step.name(),
        Create.of(rows.stream().map(row -> ConfigRows.row(step.name(), built, row)).toList())
            .withRowSchema(built));
  }

  private static FieldType type(YamlDocument.Step step, String field, @Nullable Object value) {
    if (value instanceof String) {
      return FieldType.STRING;
    }
    if (value instanceof Integer || value instanceof Long) {
      return FieldType.INT64;
    }
    if (value instanceof Double) {
      return FieldType.DOUBLE;
    }
    if (value instanceof Boolean) {
      return FieldType.BOOLEAN;
    }
    throw new IllegalArgumentException(
        String.format(
            "Invalid element of transform %s: %s is no text, number or boolean",
            step.name(), field));
  }
}
