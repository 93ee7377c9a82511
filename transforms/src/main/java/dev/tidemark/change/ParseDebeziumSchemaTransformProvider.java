package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.service.AutoService;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.schematransform.ErrorOutput;
import dev.tidemark.schematransform.SchemaTransformUrns;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.transforms.SchemaTransform;
import org.apache.beam.sdk.schemas.transforms.SchemaTransformProvider;
import org.apache.beam.sdk.schemas.transforms.TypedSchemaTransformProvider;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptor;

/**
 * {@link ParseDebezium} over rows, configured by a row: {@code
 * beam:schematransform:dev.tidemark:parse_debezium:v1}.
 *
 * <p>The input has the record's value in a column. Each table's changes are an output of {@link
 * ChangeRows}.
 */
@AutoService(SchemaTransformProvider.class)
public final class ParseDebeziumSchemaTransformProvider
    extends TypedSchemaTransformProvider<ParseDebeziumConfig> {
  private static final String TRUNCATES = "truncates";

  @Override
  public String identifier() {
    return SchemaTransformUrns.of("parse_debezium");
  }

  @Override
  public String description() {
    return "Parses Debezium's change events of PostgreSQL tables, in JSON. Each table's changes are an"
        + " output: its columns, then _kind (+I, -U, +U or -D), _log_position and"
        + " _unknown_columns. Output truncates tells of truncates, if a table reports them.";
  }

  @Override
  public List<String> inputCollectionNames() {
    return ImmutableList.of("input");
  }

  @Override
  public List<String> outputCollectionNames() {
    return ImmutableList.of(ParseDebeziumConfig.ONLY_OUTPUT, TRUNCATES);
  }

  @Override
  protected SchemaTransform from(ParseDebeziumConfig config) {
    return new Transform(config);
  }

  private static final class Transform extends SchemaTransform {
    private static final long serialVersionUID = 1L;

    private final transient ParseDebeziumConfig config;
    private final transient ImmutableMap<String, DebeziumTable> tables;
    private final transient ParseDebezium parse;

    Transform(ParseDebeziumConfig config) {
      this.config = config;
      this.tables = config.tables();
      this.parse = config.transform();
    }

    @Override
    public PCollectionRowTuple expand(PCollectionRowTuple input) {
      PCollection<Row> rows = input.getSinglePCollection();
      ErrorOutput errors = ErrorOutput.of(config.getErrorHandling(), RecordColumns.SCHEMA);
      ParseDebeziumResult parsed =
          rows.apply(
                  "Records",
                  MapElements.into(TypeDescriptor.of(DebeziumRecord.class))
                      .via(RecordColumns.of(config, rows.getSchema())))
              .setCoder(DebeziumRecordCoder.of())
              .apply("Parse", parse);
      PCollectionRowTuple outputs = PCollectionRowTuple.empty(input.getPipeline());
      for (Map.Entry<String, DebeziumTable> table : tables.entrySet()) {
        outputs =
            outputs.and(
                table.getKey(),
                parsed
                    .changes(table.getValue().topic())
                    .apply("Rows(" + table.getKey() + ")", ChangeRows.toRows()));
      }
      if (tables.values().stream().anyMatch(table -> table.truncates() == Truncates.REPORT)) {
        checkArgument(
            !outputs.has(TRUNCATES), "Invalid field tables: no table may have the name truncates");
        outputs = outputs.and(TRUNCATES, parsed.truncates());
      }
      errors.add("Failed", parsed.failed(), DebeziumRecordCoder.of(), RecordColumns::asRow);
      return errors.addTo(outputs);
    }
  }
}
