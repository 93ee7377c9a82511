package dev.tidemark.examples.benchmarks.load;

import java.io.Serializable;
import java.math.BigDecimal;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/** The rows of the benchmark in a Beam pipeline: a source and a function in one chain. */
public final class BeamLoad {
  private BeamLoad() {}

  /** Makes the value of an event time. */
  public interface EventTimeType extends Serializable {
    Object of(long micros);
  }

  /**
   * The rows.
   *
   * @param amount the type of field {@code amount}, whose values are decimals
   * @param eventTime the type of field {@code event_time}
   * @param fromMicros makes a value of that type
   */
  public static PCollection<Row> rows(
      Pipeline pipeline, FieldType amount, FieldType eventTime, EventTimeType fromMicros) {
    Schema schema = schema(amount, eventTime);
    return pipeline
        .apply("Source", Read.from(new RowNumberSource()))
        .apply("Map", ParDo.of(new MakeRowFn(schema, fromMicros)))
        .setRowSchema(schema);
  }

  /** The schema of the rows, see {@link #rows}. */
  public static Schema schema(FieldType amount, FieldType eventTime) {
    return Schema.builder()
        .addInt64Field("id")
        .addInt32Field("quantity")
        .addStringField("customer")
        .addStringField("device")
        .addDoubleField("price")
        .addField("event_time", eventTime)
        .addField("amount", amount)
        .addBooleanField("express")
        .build();
  }

  /**
   * The row of what was filled in last.
   *
   * @param eventTime the value of field {@code event_time}
   */
  public static Row row(Schema schema, LoadRow load, Object eventTime) {
    return Row.withSchema(schema)
        .attachValues(
            load.id(),
            load.quantity(),
            load.customer(),
            load.device(),
            load.price(),
            eventTime,
            BigDecimal.valueOf(load.amountUnscaled(), LoadRow.AMOUNT_SCALE),
            load.express());
  }

  private static final class MakeRowFn extends DoFn<Long, Row> {
    private final Schema schema;
    private final EventTimeType fromMicros;
    private transient LoadRow load;

    MakeRowFn(Schema schema, EventTimeType fromMicros) {
      this.schema = schema;
      this.fromMicros = fromMicros;
    }

    @Setup
    public void setup() {
      load = new LoadRow();
    }

    @ProcessElement
    public void process(@Element Long number, OutputReceiver<Row> output) {
      load.fill(number);
      RegionMeter.row();
      output.output(row(schema, load, fromMicros.of(load.eventMicros())));
    }
  }
}
