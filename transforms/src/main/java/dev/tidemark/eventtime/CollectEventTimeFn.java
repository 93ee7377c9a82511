package dev.tidemark.eventtime;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Duration;

/**
 * Collects the {@link EventTimeStats} of rows. Merging accumulators keeps the centroids of every
 * partial sketch, so the output does not depend, to the bit, on the order or the tree of merges. It
 * is not compressed yet, a few KiB for each part, so that it merges further without loss; its text
 * form is.
 *
 * <pre>{@code
 * rows.apply(
 *     Combine.globally(
 *         CollectEventTimeFn.of(EventTimeExtractor.column("created_at"), rows.getSchema())));
 * }</pre>
 *
 * @see EventTimeExtractor.Bound#extract for what {@link NullPolicy#REJECT} throws
 */
public final class CollectEventTimeFn extends CombineFn<Row, EventTimeAccumulator, EventTimeStats> {
  private final EventTimeExtractor extractor;
  private final EventTimeExtractor.Bound bound;
  private final long boundaryMillis;

  private CollectEventTimeFn(
      EventTimeExtractor extractor, EventTimeExtractor.Bound bound, long boundaryMillis) {
    this.extractor = extractor;
    this.bound = bound;
    this.boundaryMillis = boundaryMillis;
  }

  /**
   * Collects from rows of this schema, with a boundary of one hour.
   *
   * @throws IllegalArgumentException if the extractor does not fit the schema
   */
  public static CollectEventTimeFn of(EventTimeExtractor extractor, Schema schema) {
    return new CollectEventTimeFn(extractor, extractor.bind(schema), EventTimeSketch.HOUR_MILLIS);
  }

  /**
   * The boundary below whose multiples counts are exact: one hour (the default), or 15 minutes for
   * zones whose offset ends in :30 or :45, which takes up to four times the space.
   */
  public CollectEventTimeFn withBoundary(Duration boundary) {
    return new CollectEventTimeFn(
        extractor, bound, BucketWidths.checkBoundary(boundary.getMillis()));
  }

  @Override
  public EventTimeAccumulator createAccumulator() {
    return new EventTimeAccumulator(boundaryMillis);
  }

  @Override
  public EventTimeAccumulator addInput(EventTimeAccumulator accumulator, Row row) {
    accumulator.add(bound.extract(row));
    return accumulator;
  }

  @Override
  public EventTimeAccumulator mergeAccumulators(Iterable<EventTimeAccumulator> accumulators) {
    List<EventTimeStats> stats = new ArrayList<>();
    stats.add(EventTimeStats.empty(boundaryMillis));
    accumulators.forEach(accumulator -> stats.add(accumulator.stats()));
    return new EventTimeAccumulator(
        EventTimeSketch.builder(boundaryMillis), EventTimeStats.merge(stats));
  }

  @Override
  public EventTimeStats extractOutput(EventTimeAccumulator accumulator) {
    return accumulator.stats();
  }

  @Override
  public EventTimeStats defaultValue() {
    return EventTimeStats.empty(boundaryMillis);
  }

  @Override
  public Coder<EventTimeAccumulator> getAccumulatorCoder(
      CoderRegistry registry, Coder<Row> inputCoder) {
    return EventTimeAccumulatorCoder.of();
  }

  @Override
  public Coder<EventTimeStats> getDefaultOutputCoder(
      CoderRegistry registry, Coder<Row> inputCoder) {
    return EventTimeStatsCoder.of();
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    builder
        .add(DisplayData.item("eventTimeColumn", extractor.columnPath()))
        .add(DisplayData.item("eventTimeZone", extractor.zone().getId()))
        .add(DisplayData.item("boundaryMillis", boundaryMillis));
  }
}
