package dev.tidemark.examples.benchmarks.icebergwrite;

import dev.tidemark.examples.benchmarks.load.LoadRow;
import dev.tidemark.examples.benchmarks.load.PeerSettings;
import dev.tidemark.examples.benchmarks.load.RegionMeter;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.flink.CatalogLoader;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.flink.TableLoader;
import org.apache.iceberg.flink.sink.FlinkSink;

/** Iceberg's FlinkSink with its defaults, or with Flink's object reuse (option {@code reuse}). */
final class NativePeer {
  private NativePeer() {}

  public static void main(String[] args) throws Exception {
    Configuration configuration =
        new Configuration()
            // A run that fails is no run.
            .set(RestartStrategyOptions.RESTART_STRATEGY, "none")
            .set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem")
            .set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                "file://" + PeerSettings.checkpoints());
    StreamExecutionEnvironment flink =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    flink.setParallelism(1);
    flink.enableCheckpointing(PeerSettings.intervalMillis());
    if (PeerSettings.has("reuse")) {
      flink.getConfig().enableObjectReuse();
    }
    TableIdentifier table = TableIdentifier.of(TableSettings.NAMESPACE, TableSettings.table());
    CatalogLoader catalog =
        CatalogLoader.hadoop(
            "local",
            new org.apache.hadoop.conf.Configuration(),
            Map.of("warehouse", TableSettings.warehouse()));
    RowType type = FlinkSchemaUtil.convert(catalog.loadCatalog().loadTable(table).schema());
    DataStream<RowData> rows =
        flink
            .fromSequence(0, Long.MAX_VALUE)
            .map(new MakeRowData())
            .returns(InternalTypeInfo.of(type));
    FlinkSink.forRowData(rows).tableLoader(TableLoader.fromCatalog(catalog, table)).append();
    flink.execute();
  }

  private static final class MakeRowData extends RichMapFunction<Long, RowData>
      implements CheckpointListener {
    private static final int MICROS_PER_MILLI = 1_000;
    private static final int NANOS_PER_MICRO = 1_000;
    private transient LoadRow load;

    @Override
    public void open(OpenContext context) {
      load = new LoadRow();
    }

    @Override
    public RowData map(Long number) {
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
