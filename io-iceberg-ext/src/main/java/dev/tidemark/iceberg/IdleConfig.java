package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.IdlePolicy;
import dev.tidemark.schematransform.Configuring;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldName;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/** What to do while one writer commits nothing, as fields of a configuration tell it. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
abstract class IdleConfig {
  @SchemaFieldName("writer")
  @SchemaFieldDescription("The writer.")
  abstract String getWriter();

  @SchemaFieldName("idle")
  @SchemaFieldDescription("WAIT, INPUT_WATERMARK or WALL_CLOCK.")
  abstract String getIdle();

  @SchemaFieldName("idle_after_seconds")
  @SchemaFieldDescription(
      "Seconds without rows after which it is idle. Default: none; required unless idle is WAIT.")
  abstract @Nullable Long getIdleAfterSeconds();

  @SchemaFieldName("proof_valid_for_seconds")
  @SchemaFieldDescription("Seconds that its proof of life is valid. Default: 600.")
  abstract @Nullable Long getProofValidForSeconds();

  IdleHandling handling() {
    return handling(getIdle(), getIdleAfterSeconds(), getProofValidForSeconds());
  }

  static IdleHandling handling(
      @Nullable String idle, @Nullable Long afterSeconds, @Nullable Long proofValidForSeconds) {
    IdlePolicy policy =
        idle == null
            ? IdlePolicy.WAIT
            : Configuring.named("idle", () -> Configuring.constant(IdlePolicy.class, idle));
    Duration after = afterSeconds == null ? Duration.ZERO : Duration.standardSeconds(afterSeconds);
    return Configuring.of(
            Configuring.named("idle_after_seconds", () -> IdleHandling.of(policy, after)))
        .set(
            "proof_valid_for_seconds",
            proofValidForSeconds,
            (i, seconds) -> i.withProofValidFor(Duration.standardSeconds(seconds)))
        .get();
  }
}
