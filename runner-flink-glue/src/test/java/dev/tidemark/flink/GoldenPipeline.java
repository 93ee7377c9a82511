package dev.tidemark.flink;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import dev.tidemark.once.Batch;
import dev.tidemark.once.Effect;
import dev.tidemark.once.Numbered;
import dev.tidemark.once.Outcome;
import dev.tidemark.once.PerformOnce;
import dev.tidemark.upsert.MaterializeUpserts;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.apache.flink.api.common.JobID;
import org.joda.time.Duration;

/**
 * The pipeline of the recorded savepoint. Its first half adds the orders of some customers, six
 * each; its second half takes them back, so that the last of them deletes its customer. The
 * savepoint is taken between the halves, with all candidates in state, and all that was emitted
 * held for an effect that was not let through.
 */
final class GoldenPipeline {
  static final int ORDERS = 300;
  static final int CUSTOMERS = 50;
  static final int SHARDS = 16;
  static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("customer")
          .addInt64Field("order")
          .addStringField("note")
          .build();

  private static final TreeMap<Long, Change> PERFORMED = new TreeMap<>();
  private static final List<String> DIFFERENT = new ArrayList<>();
  private static final AtomicInteger EMITTED = new AtomicInteger();
  private static volatile boolean letThrough;

  private GoldenPipeline() {}

  static MaterializeUpserts upserts() {
    return MaterializeUpserts.create()
        .withSinkKey("customer")
        .withUpsertKey("customer", "order")
        .withShards(SHARDS);
  }

  static Row order(long number) {
    return Row.withSchema(SCHEMA).addValues(number % CUSTOMERS, number, "order " + number).build();
  }

  static synchronized void reset(boolean letsThrough) {
    PERFORMED.clear();
    DIFFERENT.clear();
    EMITTED.set(0);
    letThrough = letsThrough;
    IdSource.release();
  }

  static int emitted() {
    return EMITTED.get();
  }

  /** What was performed, by its number. */
  static synchronized SortedMap<Long, Change> performed() {
    return new TreeMap<>(PERFORMED);
  }

  /** Repetitions that were not what had been performed under their number. */
  static synchronized List<String> different() {
    return List.copyOf(DIFFERENT);
  }

  private static synchronized void note(long sequence, Change change) {
    Change before = PERFORMED.putIfAbsent(sequence, change);
    if (before != null && !before.equals(change)) {
      DIFFERENT.add(sequence + ": " + before + ", " + change);
    }
  }

  private static final class OrderFn extends DoFn<Long, Change> {
    @ProcessElement
    public void process(@Element Long id, OutputReceiver<Change> out) {
      out.output(
          id < ORDERS
              ? Change.of(ChangeKind.INSERT, order(id))
              : Change.of(ChangeKind.DELETE, order(id - ORDERS)));
    }
  }

  private static final class CountFn extends DoFn<Change, Change> {
    @ProcessElement
    public void process(@Element Change change, OutputReceiver<Change> out) {
      EMITTED.incrementAndGet();
      out.output(change);
    }
  }

  private static final class NoteEffect implements Effect<String, Change, String> {
    @Override
    public Outcome<String> perform(String key, Batch<Change> batch) {
      if (!letThrough) {
        return Outcome.later(Duration.millis(200), List.of());
      }
      for (Numbered<Change> numbered : batch.elements()) {
        note(numbered.sequence(), numbered.element());
      }
      return Outcome.done(List.of());
    }
  }

  static TidemarkFlinkOptions options(EmbeddedFlink flink, int parallelism) {
    TidemarkFlinkOptions options = flink.options(parallelism, 300);
    options.setMaxParallelism(64);
    options.setNumberOfExecutionRetries(0);
    options.setJobName("golden");
    return options;
  }

  static JobID run(EmbeddedFlink flink, TidemarkFlinkOptions options, MaterializeUpserts upserts)
      throws Exception {
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply("Ids", Read.from(IdSource.of(2 * ORDERS, 2_000, false)))
        .apply("Orders", ParDo.of(new OrderFn()))
        .setCoder(ChangeCoder.of(SCHEMA))
        .apply("LastOrders", upserts)
        .changes()
        .apply("Count", ParDo.of(new CountFn()))
        .setCoder(ChangeCoder.of(SCHEMA))
        .apply("Key", WithKeys.<String, Change>of("orders").withKeyType(TypeDescriptors.strings()))
        .apply("Once", PerformOnce.of(new NoteEffect()).withReportCoder(StringUtf8Coder.of()));
    return flink.submit(pipeline);
  }
}
