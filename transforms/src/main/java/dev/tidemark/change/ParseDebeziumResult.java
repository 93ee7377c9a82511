package dev.tidemark.change;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterables;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;

/** What {@link ParseDebezium} gives: changes by table, failed records, truncates. */
public final class ParseDebeziumResult implements POutput {
  private final Pipeline pipeline;
  private final ImmutableMap<String, TupleTag<Change>> tables;
  private final PCollectionTuple outputs;

  ParseDebeziumResult(
      Pipeline pipeline, ImmutableMap<String, TupleTag<Change>> tables, PCollectionTuple outputs) {
    this.pipeline = pipeline;
    this.tables = tables;
    this.outputs = outputs;
  }

  /**
   * The changes of the only table.
   *
   * @throws IllegalStateException if there are several
   */
  public PCollection<Change> changes() {
    checkState(
        tables.size() == 1,
        "Cannot tell which table's changes are meant: there are %s. Name its topic",
        tables.size());
    return outputs.get(Iterables.getOnlyElement(tables.values()));
  }

  /**
   * The changes of a table.
   *
   * @throws IllegalArgumentException if no table has this topic
   */
  public PCollection<Change> changes(String topic) {
    TupleTag<Change> tag = tables.get(topic);
    checkArgument(tag != null, "Cannot find table of topic %s", topic);
    return outputs.get(tag);
  }

  /**
   * The schema of a table's rows, metadata columns included.
   *
   * @throws IllegalArgumentException if no table has this topic
   */
  public Schema schema(String topic) {
    return ((ChangeCoder) changes(topic).getCoder()).schema();
  }

  /**
   * Records that gave no change although they should have. The description says why, naming topic,
   * column and types, never values; the record is encoded by {@link DebeziumRecordCoder}, so that
   * it can be parsed again.
   */
  public PCollection<BadRecord> failed() {
    return outputs.get(ParseDebeziumFn.FAILED);
  }

  /**
   * One row of {@link ParseDebezium#TRUNCATE_SCHEMA} per truncate of a table with {@link
   * Truncates#REPORT}.
   */
  public PCollection<Row> truncates() {
    return outputs.get(ParseDebeziumFn.TRUNCATES);
  }

  @Override
  public Pipeline getPipeline() {
    return pipeline;
  }

  @Override
  public Map<TupleTag<?>, PValue> expand() {
    return outputs.expand();
  }

  @Override
  public void finishSpecifyingOutput(
      String transformName, PInput input, PTransform<?, ?> transform) {}
}
