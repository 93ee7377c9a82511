package dev.tidemark.doris;

import com.google.auto.value.AutoValue;
import dev.tidemark.schematransform.Configuring;
import dev.tidemark.streamload.RetryPolicy;
import java.time.Duration;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.checkerframework.checker.nullness.qual.Nullable;

/** How failed requests are made again, as fields of a configuration tell it. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
abstract class RetryConfig {
  @SchemaFieldDescription("How often a request is made at most. Default: 10.")
  abstract @Nullable Integer getMaxAttempts();

  @SchemaFieldDescription("Milliseconds to wait after the first failure. Default: 200.")
  abstract @Nullable Long getFirstWaitMillis();

  @SchemaFieldDescription(
      "Milliseconds to wait after the first answer that the server is overloaded. Default: 5000.")
  abstract @Nullable Long getFirstSlowWaitMillis();

  @SchemaFieldDescription("Milliseconds of the longest wait. Default: 30000.")
  abstract @Nullable Long getLongestWaitMillis();

  @SchemaFieldDescription(
      "Milliseconds to wait for a load that runs under the same label. Default: 120000.")
  abstract @Nullable Long getSettleTimeMillis();

  @SchemaFieldDescription(
      "Milliseconds after the first attempt within which others begin. Default: 600000.")
  abstract @Nullable Long getTotalTimeMillis();

  RetryPolicy policy() {
    return Configuring.of(RetryPolicy.defaults())
        .set("max_attempts", getMaxAttempts(), RetryPolicy::withMaxAttempts)
        .set(
            "first_wait_millis",
            getFirstWaitMillis(),
            (p, millis) -> p.withFirstWait(Duration.ofMillis(millis)))
        .set(
            "first_slow_wait_millis",
            getFirstSlowWaitMillis(),
            (p, millis) -> p.withFirstSlowWait(Duration.ofMillis(millis)))
        .set(
            "longest_wait_millis",
            getLongestWaitMillis(),
            (p, millis) -> p.withLongestWait(Duration.ofMillis(millis)))
        .set(
            "settle_time_millis",
            getSettleTimeMillis(),
            (p, millis) -> p.withSettleTime(Duration.ofMillis(millis)))
        .set(
            "total_time_millis",
            getTotalTimeMillis(),
            (p, millis) -> p.withTotalTime(Duration.ofMillis(millis)))
        .get();
  }
}
