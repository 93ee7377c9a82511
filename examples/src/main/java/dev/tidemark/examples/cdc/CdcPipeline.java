package dev.tidemark.examples.cdc;

import com.google.common.collect.ImmutableList;
import dev.tidemark.change.ChangeMetadata;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.change.ParseDebezium;
import dev.tidemark.change.ParseDebeziumResult;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.values.PCollection;

/**
 * Change events of Debezium from Kafka or files into change tables in Iceberg, with finalization,
 * and the rows that they come to into Doris; several tables in one pipeline. {@link CdcOptions} has
 * the options, docs/reference-cdc-pipeline.md the manual.
 */
public final class CdcPipeline {
  private CdcPipeline() {}

  /** Runs the pipeline with options as on any Beam command line; {@code --help=CdcOptions}. */
  public static void main(String[] args) {
    CdcOptions options = options(args);
    Pipeline pipeline = Pipeline.create(options);
    build(pipeline, options);
    pipeline.run();
  }

  /**
   * Reads and checks options as they stand on a command line, and sets what they imply. {@code
   * --parameterFile} names a JSON object with further ones.
   *
   * @throws IllegalArgumentException with everything that is wrong, each naming its option
   */
  public static CdcOptions options(String... args) {
    return CommandLine.parse(args);
  }

  /**
   * Adds the steps to a pipeline. Reads no value that is told when the pipeline runs.
   *
   * @return what the pipeline tells of each table
   */
  public static List<CdcTable> build(Pipeline pipeline, CdcOptions options) {
    ImmutableList<SourceTable> tables = SourceTables.read(options.getTables());
    PCollection<DebeziumRecord> events =
        switch (options.getSource()) {
          case KAFKA ->
              pipeline.apply(
                  "Events",
                  KafkaEvents.of(tables.stream().map(SourceTable::topic).toList(), options));
          case FILES ->
              pipeline.apply(
                  "Events",
                  Read.from(
                      EventFiles.matching(
                          Given.orDefault(options.getInputFiles()),
                          Given.orDefault(options.getWatermarkDelaySeconds()))));
        };
    return build(events, tables, options);
  }

  /** Adds the steps after the source, for events that come from elsewhere. */
  public static List<CdcTable> build(PCollection<DebeziumRecord> events, CdcOptions options) {
    return build(events, SourceTables.read(options.getTables()), options);
  }

  private static List<CdcTable> build(
      PCollection<DebeziumRecord> events, List<SourceTable> tables, CdcOptions options) {
    ParseDebeziumResult parsed =
        events.apply(
            "Parse",
            ParseDebezium.forTables(tables.stream().map(SourceTable::debezium).toList())
                .withMetadata(SourceTables.LOG_COLUMNS.toArray(new ChangeMetadata[0])));
    WriteDeadLetters deadLetters = new WriteDeadLetters();
    deadLetters.add("parse", parsed.failed());
    CdcTableWrites writes = new CdcTableWrites(options, deadLetters);
    ImmutableList<CdcTable> written =
        tables.stream()
            .map(table -> writes.write(table, parsed.changes(table.topic())))
            .collect(ImmutableList.toImmutableList());
    deadLetters.write(options);
    WriteLateData.write(written, options);
    return written;
  }
}
