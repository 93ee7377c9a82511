package dev.tidemark.once;

import com.google.auto.value.AutoValue;
import com.google.common.collect.Iterables;
import java.time.Clock;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.TupleTag;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/**
 * Performs an {@link Effect} for elements that a completed checkpoint holds: once for each element,
 * if the effect is idempotent on the key, sequence and content of an element.
 *
 * <p>Elements of a key are numbered in the order of arrival and performed in that order. The output
 * is what the effect reports, emitted at least once: after a failure an effect that recognises a
 * repetition reports it again. The package documentation says what happens on each kind of failure.
 *
 * <pre>{@code
 * results.apply(
 *     PerformOnce.of(new CommitEffect(...)).withReportCoder(reportCoder).withConcurrency(8));
 * }</pre>
 *
 * @param <K> key; its coder must be deterministic
 * @param <T> element
 * @param <R> report
 */
@AutoValue
public abstract class PerformOnce<K, T, R>
    extends PTransform<PCollection<KV<K, T>>, PCollection<R>> {
  private static final Duration DEFAULT_HEARTBEAT = Duration.standardSeconds(10);
  private static final int DEFAULT_CONCURRENCY = 4;

  PerformOnce() {}

  abstract Effect<K, T, R> effect();

  abstract @Nullable Coder<R> reportCoder();

  abstract Duration heartbeatInterval();

  abstract @Nullable Clock clock();

  abstract int concurrency();

  abstract Builder<K, T, R> toBuilder();

  @AutoValue.Builder
  abstract static class Builder<K, T, R> {
    abstract Builder<K, T, R> effect(Effect<K, T, R> effect);

    abstract Builder<K, T, R> reportCoder(Coder<R> coder);

    abstract Builder<K, T, R> heartbeatInterval(Duration interval);

    abstract Builder<K, T, R> clock(Clock clock);

    abstract Builder<K, T, R> concurrency(int concurrency);

    abstract PerformOnce<K, T, R> build();
  }

  /** Performs the given effect. */
  public static <K, T, R> PerformOnce<K, T, R> of(Effect<K, T, R> effect) {
    return new AutoValue_PerformOnce.Builder<K, T, R>()
        .effect(effect)
        .heartbeatInterval(DEFAULT_HEARTBEAT)
        .concurrency(DEFAULT_CONCURRENCY)
        .build();
  }

  /** Sets the coder of the reports. Default: the one that the coder registry infers. */
  public PerformOnce<K, T, R> withReportCoder(Coder<R> coder) {
    return toBuilder().reportCoder(coder).build();
  }

  /**
   * Sets the processing time between two heartbeats of a key. Default 10 seconds, at least 10
   * milliseconds. A longer interval delays what an idle key learns: that a checkpoint completed
   * whose notification was lost, and how far the input watermark is.
   */
  public PerformOnce<K, T, R> withHeartbeatInterval(Duration interval) {
    if (interval.isShorterThan(Duration.millis(10))) {
      throw new IllegalArgumentException(
          String.format("Invalid heartbeat interval: %s (must be at least PT0.010S)", interval));
    }
    return toBuilder().heartbeatInterval(interval).build();
  }

  /**
   * Sets what dates heartbeats, for simulations and tests. Default: the runner's processing time. A
   * clock has to be serializable.
   */
  public PerformOnce<K, T, R> withClock(Clock clock) {
    return toBuilder().clock(clock).build();
  }

  /**
   * Sets how many keys of one worker are performed at the same time. Default 4, at least 1. More
   * helps when many keys wait for a slow target.
   */
  public PerformOnce<K, T, R> withConcurrency(int concurrency) {
    if (concurrency < 1) {
      throw new IllegalArgumentException(
          String.format("Invalid concurrency: %s (must be at least 1)", concurrency));
    }
    return toBuilder().concurrency(concurrency).build();
  }

  @Override
  public PCollection<R> expand(PCollection<KV<K, T>> input) {
    if (!(input.getCoder() instanceof KvCoder)) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid coder: %s (must be a KvCoder); set it on the input", input.getCoder()));
    }
    KvCoder<K, T> coder = (KvCoder<K, T>) input.getCoder();
    PCollection<R> reports =
        input
            .apply("Global", Window.into(new GlobalWindows()))
            .apply("Heartbeat", ParDo.of(new HeartbeatFn<K, T>(heartbeatInterval(), clock())))
            .setCoder(KvCoder.of(coder.getKeyCoder(), ArrivalCoder.of(coder.getValueCoder())))
            .apply(
                "Perform",
                ParDo.of(
                    new PerformFn<>(
                        effect(), coder.getKeyCoder(), coder.getValueCoder(), concurrency())));
    Coder<R> reportCoder = reportCoder();
    return reportCoder == null ? reports : reports.setCoder(reportCoder);
  }

  @Override
  public void validate(
      PipelineOptions options,
      Map<TupleTag<?>, PCollection<?>> inputs,
      Map<TupleTag<?>, PCollection<?>> outputs) {
    PipelineChecks.requireStreaming(
        getName(), Iterables.getLast(outputs.values()).getPipeline(), options);
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    super.populateDisplayData(builder);
    builder
        .add(DisplayData.item("effect", effect().getClass()).withLabel("Effect"))
        .add(
            DisplayData.item("heartbeatInterval", heartbeatInterval())
                .withLabel("Processing time between two heartbeats of a key"))
        .add(
            DisplayData.item("concurrency", concurrency())
                .withLabel("Keys performed at the same time"))
        .addIfNotNull(
            DisplayData.item("clock", clock() == null ? null : clock().getClass())
                .withLabel("Clock of heartbeats, instead of processing time"));
  }
}
