package dev.tidemark.examples.benchmarks.doriswrite;

import dev.tidemark.examples.benchmarks.load.LoadRow;
import dev.tidemark.examples.benchmarks.load.PeerSettings;
import dev.tidemark.examples.benchmarks.load.RegionMeter;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.doris.flink.cfg.DorisExecutionOptions;
import org.apache.doris.flink.cfg.DorisOptions;
import org.apache.doris.flink.cfg.DorisReadOptions;
import org.apache.doris.flink.sink.DorisSink;
import org.apache.doris.flink.sink.writer.serializer.RowDataSerializer;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.DiscardingSink;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The released connector on the DataStream API, with its defaults and two-phase commit: in Arrow,
 * or in JSON (option {@code json}), and with Flink's object reuse (option {@code reuse}) or
 * without. Option {@code sourceOnly} leaves the connector out.
 */
final class ReleasedDorisPeer {
  private static final int EVENT_TIME_PRECISION = 6;

  private static final List<DataTypes.Field> FIELDS =
      List.of(
          DataTypes.FIELD("id", DataTypes.BIGINT()),
          DataTypes.FIELD("quantity", DataTypes.INT()),
          DataTypes.FIELD("customer", DataTypes.STRING()),
          DataTypes.FIELD("device", DataTypes.STRING()),
          DataTypes.FIELD("price", DataTypes.DOUBLE()),
          DataTypes.FIELD("event_time", DataTypes.TIMESTAMP(EVENT_TIME_PRECISION)),
          DataTypes.FIELD(
              "amount", DataTypes.DECIMAL(LoadRow.AMOUNT_PRECISION, LoadRow.AMOUNT_SCALE)),
          DataTypes.FIELD("express", DataTypes.BOOLEAN()));

  private ReleasedDorisPeer() {}

  public static void main(String[] args) throws Exception {
    Configuration configuration = new Configuration();
    // A run that fails is no run.
    configuration.setString("restart-strategy.type", "none");
    configuration.setString("state.checkpoint-storage", "filesystem");
    configuration.setString("state.checkpoints.dir", "file://" + PeerSettings.checkpoints());
    StreamExecutionEnvironment flink =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    flink.setParallelism(1);
    flink.enableCheckpointing(PeerSettings.intervalMillis());
    if (PeerSettings.has("reuse")) {
      flink.getConfig().enableObjectReuse();
    }
    DataStream<RowData> rows =
        flink
            .fromSequence(0, Long.MAX_VALUE)
            .map(new MakeRowData())
            .returns(InternalTypeInfo.of(rowType()));
    if (PeerSettings.has("sourceOnly")) {
      rows.addSink(new DiscardingSink<>());
    } else {
      rows.sinkTo(sink(PeerSettings.has("json")));
    }
    flink.execute();
  }

  private static RowType rowType() {
    LogicalType[] types =
        Arrays.stream(types()).map(DataType::getLogicalType).toArray(LogicalType[]::new);
    return RowType.of(types, names());
  }

  private static DataType[] types() {
    return FIELDS.stream().map(DataTypes.Field::getDataType).toArray(DataType[]::new);
  }

  private static String[] names() {
    return FIELDS.stream().map(DataTypes.Field::getName).toArray(String[]::new);
  }

  private static DorisSink<RowData> sink(boolean json) {
    Properties properties = new Properties();
    if (json) {
      properties.setProperty("format", "json");
      properties.setProperty("read_json_by_line", "true");
    } else {
      properties.setProperty("format", "arrow");
      properties.setProperty(
          "columns",
          Arrays.stream(names()).map(name -> '`' + name + '`').collect(Collectors.joining(",")));
    }
    return DorisSink.<RowData>builder()
        .setDorisOptions(
            DorisOptions.builder()
                .setFenodes(PeerSettings.required("frontend"))
                .setTableIdentifier(PeerSettings.required("table"))
                .setUsername(PeerSettings.required("user"))
                .setPassword(PeerSettings.required("password"))
                .build())
        .setDorisReadOptions(DorisReadOptions.builder().build())
        .setDorisExecutionOptions(
            DorisExecutionOptions.builder()
                .setLabelPrefix("released")
                .setDeletable(false)
                .setStreamLoadProp(properties)
                .build())
        .setSerializer(
            RowDataSerializer.builder()
                .setFieldNames(names())
                .setFieldType(types())
                .setType(json ? "json" : "arrow")
                .enableDelete(false)
                .build())
        .build();
  }

  private static final class MakeRowData implements MapFunction<Long, RowData>, CheckpointListener {
    private static final int MICROS_PER_MILLI = 1_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private transient LoadRow load;

    @Override
    public RowData map(Long number) {
      if (load == null) {
        load = new LoadRow();
      }
      load.fill(number);
      RegionMeter.row();
      return GenericRowData.of(
          load.id(),
          load.quantity(),
          StringData.fromString(load.customer()),
          StringData.fromString(load.device()),
          load.price(),
          TimestampData.fromEpochMillis(
              load.eventMicros() / MICROS_PER_MILLI,
              (int) (load.eventMicros() % MICROS_PER_MILLI) * NANOS_PER_MICRO),
          DecimalData.fromUnscaledLong(
              load.amountUnscaled(), LoadRow.AMOUNT_PRECISION, LoadRow.AMOUNT_SCALE),
          load.express());
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      RegionMeter.checkpoint();
    }
  }
}
