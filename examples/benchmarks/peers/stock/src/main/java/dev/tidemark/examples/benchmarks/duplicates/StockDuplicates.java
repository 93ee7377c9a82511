package dev.tidemark.examples.benchmarks.duplicates;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.flink.FlinkRunner;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.DelegateCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.iceberg.IcebergCatalogConfig;
import org.apache.beam.sdk.io.iceberg.IcebergIO;
import org.apache.beam.sdk.io.iceberg.SnapshotInfo;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * What Beam's own IcebergIO makes of crashes right after a commit: ids through a streaming pipeline on
 * embedded Flink, with checkpoints, and three crashes of the function behind the commit. Prints how
 * many ids are in the table more than once. Takes the warehouse folder as its argument.
 */
public final class StockDuplicates {
  private static final long IDS = 3_000;
  private static final long PER_SECOND = 100;
  private static final int CRASHES = 3;
  private static final long CHECKPOINT_MILLIS = 4_000;
  private static final long TRIGGER_MILLIS = 1_000;
  private static final Schema SCHEMA = Schema.builder().addInt64Field("id").build();
  private static final AtomicInteger COMMITS = new AtomicInteger();
  private static final AtomicInteger CRASHED = new AtomicInteger();

  private StockDuplicates() {}

  /** Runs the comparison. */
  public static void main(String[] args) throws Exception {
    FlinkPipelineOptions options = PipelineOptionsFactory.as(FlinkPipelineOptions.class);
    options.setRunner(FlinkRunner.class);
    options.setFlinkMaster("[local]");
    options.setStreaming(true);
    options.setParallelism(2);
    options.setCheckpointingInterval(CHECKPOINT_MILLIS);
    options.setNumberOfExecutionRetries(10);
    options.setExecutionRetryDelay(0L);
    IcebergCatalogConfig catalog =
        IcebergCatalogConfig.builder()
            .setCatalogName("local")
            .setCatalogProperties(Map.of("type", "hadoop", "warehouse", args[0]))
            .build();
    TableIdentifier id = TableIdentifier.of("db", "ids");
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply("Ids", Read.from(new Ids()))
        .apply("Rows", ParDo.of(new RowFn()))
        .setRowSchema(SCHEMA)
        .apply(
            "Write",
            IcebergIO.writeRows(catalog)
                .to(id)
                .withTriggeringFrequency(Duration.millis(TRIGGER_MILLIS)))
        .getSnapshots()
        .apply("Crash", ParDo.of(new CrashFn()));
    pipeline.run().waitUntilFinish();
    report(catalog.catalog().loadTable(id));
  }

  private static void report(Table table) throws Exception {
    Map<Long, Integer> times = new HashMap<>();
    long rows = 0;
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record row : records) {
        times.merge((Long) row.getField("id"), 1, Integer::sum);
        rows++;
      }
    }
    long doubled = times.values().stream().filter(count -> count > 1).count();
    System.out.printf(
        "stock-duplicates ids=%d crashes=%d rows=%d doubled_ids=%d lost_ids=%d%n",
        IDS, CRASHED.get(), rows, doubled, IDS - times.size());
  }

  /** Makes rows of ids. */
  private static final class RowFn extends DoFn<Long, Row> {
    @ProcessElement
    public void process(@Element Long id, OutputReceiver<Row> out) {
      out.output(Row.withSchema(SCHEMA).addValue(id).build());
    }
  }

  /** Crashes at the commits after the first, a few times. */
  private static final class CrashFn extends DoFn<KV<String, SnapshotInfo>, Void> {
    @ProcessElement
    public void process(@Element KV<String, SnapshotInfo> snapshot) {
      if (COMMITS.incrementAndGet() > 1 && CRASHED.get() < CRASHES) {
        CRASHED.incrementAndGet();
        throw new IllegalStateException("Injected crash after a commit");
      }
    }
  }

  /** Ids at a steady rate, resumed from checkpoints; the input ends some time after the last. */
  private static final class Ids extends UnboundedSource<Long, Ids.Mark> {
    @Override
    public List<Ids> split(int desiredSplits, PipelineOptions options) {
      return List.of(this);
    }

    @Override
    public UnboundedReader<Long> createReader(PipelineOptions options, Mark mark) {
      return new Reader(this, mark == null ? 0 : mark.next);
    }

    @Override
    public Coder<Mark> getCheckpointMarkCoder() {
      return DelegateCoder.of(VarLongCoder.of(), mark -> mark.next, Mark::new);
    }

    @Override
    public Coder<Long> getOutputCoder() {
      return VarLongCoder.of();
    }

    /** The next id. */
    static final class Mark implements UnboundedSource.CheckpointMark {
      private final long next;

      Mark(long next) {
        this.next = next;
      }

      @Override
      public void finalizeCheckpoint() {}
    }

    /** Reads ids. */
    private static final class Reader extends UnboundedReader<Long> {
      private static final long TAIL_MILLIS = 5_000;

      private final Ids source;
      private final long first;
      private final long startNanos = System.nanoTime();
      private long next;
      private long current = -1;

      Reader(Ids source, long first) {
        this.source = source;
        this.first = first;
        this.next = first;
      }

      private long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
      }

      @Override
      public boolean start() {
        return advance();
      }

      @Override
      public boolean advance() {
        if (next >= IDS || next > first + elapsedMillis() * PER_SECOND / 1_000) {
          return false;
        }
        current = next++;
        return true;
      }

      @Override
      public Long getCurrent() {
        if (current < 0) {
          throw new NoSuchElementException();
        }
        return current;
      }

      @Override
      public Instant getCurrentTimestamp() {
        return Instant.EPOCH.plus(Duration.millis(current));
      }

      @Override
      public Instant getWatermark() {
        long end = (IDS - first) * 1_000 / PER_SECOND + TAIL_MILLIS;
        return next >= IDS && elapsedMillis() > end
            ? BoundedWindow.TIMESTAMP_MAX_VALUE
            : Instant.EPOCH.plus(Duration.millis(next));
      }

      @Override
      public Mark getCheckpointMark() {
        return new Mark(next);
      }

      @Override
      public UnboundedSource<Long, ?> getCurrentSource() {
        return source;
      }

      @Override
      public void close() {}
    }
  }
}
