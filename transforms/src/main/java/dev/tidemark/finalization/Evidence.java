package dev.tidemark.finalization;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * All that a table's next watermark is decided from.
 *
 * <pre>{@code
 * Evidence evidence =
 *     Evidence.at(clock.millis())
 *         .withRequiredWriters(Set.of("eu", "us"))
 *         .withWindow(WriterWindow.fromText(properties.get("tidemark.window.eu")))
 *         .withWindow(WriterWindow.fromText(properties.get("tidemark.window.us")))
 *         .withAttestation("eu", Attestation.of(inputWatermarkMillis, clock.millis()))
 *         .withStored(finalizedUntilMillis, finalizedSinceMillis);
 * }</pre>
 */
@AutoValue
public abstract class Evidence {

  static final long HOUR_MILLIS = 3_600_000L;

  /** The window of each writer, by writer. */
  public abstract ImmutableMap<String, WriterWindow> windows();

  /** The writers whose evidence is required; others are not looked at. */
  public abstract ImmutableSet<String> requiredWriters();

  /** The latest proof of life of writers, by writer. */
  public abstract ImmutableMap<String, Attestation> attestations();

  /** The time of the decision. */
  public abstract long nowMillis();

  /** What watermarks are multiples of; an hour by default. */
  public abstract long granularityMillis();

  /** The table's watermark; null where it has none yet. */
  public abstract @Nullable Long storedMillis();

  /** From where on the table's facts cover it; null where it has no watermark yet. */
  public abstract @Nullable Long sinceMillis();

  /** Nothing but the time. */
  public static Evidence at(long nowMillis) {
    return new AutoValue_Evidence.Builder()
        .setWindows(ImmutableMap.of())
        .setRequiredWriters(ImmutableSet.of())
        .setAttestations(ImmutableMap.of())
        .setNowMillis(nowMillis)
        .setGranularityMillis(HOUR_MILLIS)
        .build();
  }

  /** With the window of one more writer, in place of an earlier one. */
  public final Evidence withWindow(WriterWindow window) {
    return toBuilder().setWindows(put(windows(), window.writer(), window)).build();
  }

  /** With the writers that are required; with none the watermark never moves. */
  public final Evidence withRequiredWriters(Iterable<String> writers) {
    writers.forEach(CommitFacts::checkWriter);
    return toBuilder().setRequiredWriters(ImmutableSet.copyOf(writers)).build();
  }

  /** With a writer's latest proof of life, in place of an earlier one. */
  public final Evidence withAttestation(String writer, Attestation attestation) {
    CommitFacts.checkWriter(writer);
    return toBuilder().setAttestations(put(attestations(), writer, attestation)).build();
  }

  /**
   * With what watermarks are multiples of.
   *
   * @throws IllegalArgumentException unless it divides a day, or is a number of whole days up to 31
   */
  public final Evidence withGranularityMillis(long granularityMillis) {
    checkArgument(
        Boundaries.isGranularity(granularityMillis),
        "Invalid granularity: %s ms (must divide a day, or be whole days up to 31)",
        granularityMillis);
    return toBuilder().setGranularityMillis(granularityMillis).build();
  }

  /** With the watermark that the table has, and from where on its facts cover it. */
  public final Evidence withStored(@Nullable Long storedMillis, @Nullable Long sinceMillis) {
    return toBuilder().setStoredMillis(storedMillis).setSinceMillis(sinceMillis).build();
  }

  private static <V> ImmutableMap<String, V> put(Map<String, V> map, String key, V value) {
    return ImmutableMap.<String, V>builder().putAll(map).put(key, value).buildKeepingLast();
  }

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setWindows(ImmutableMap<String, WriterWindow> windows);

    abstract Builder setRequiredWriters(ImmutableSet<String> requiredWriters);

    abstract Builder setAttestations(ImmutableMap<String, Attestation> attestations);

    abstract Builder setNowMillis(long nowMillis);

    abstract Builder setGranularityMillis(long granularityMillis);

    abstract Builder setStoredMillis(@Nullable Long storedMillis);

    abstract Builder setSinceMillis(@Nullable Long sinceMillis);

    abstract Evidence build();
  }
}
