package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.IdlePolicy;
import dev.tidemark.finalization.LateAlertOptions;
import dev.tidemark.finalization.Policies;
import dev.tidemark.schematransform.Configuring;
import dev.tidemark.secrets.BareSecrets;
import dev.tidemark.secrets.Derived;
import java.util.List;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/** How tables are finalized, as fields of a configuration tell it. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
@SuppressWarnings("AutoValueImmutableFields") // Beam's schemas make mutable collections
abstract class FinalizationConfig {
  @SchemaFieldDescription(
      "The policy as text, for example allOf(minOfMins(6, PT30M), inputWatermark(PT10M))."
          + " Default: minOfMins().")
  abstract @Nullable String getPolicy();

  @SchemaFieldDescription(
      "What to do while a writer commits nothing: WAIT, INPUT_WATERMARK or WALL_CLOCK."
          + " Default: WAIT.")
  abstract @Nullable String getIdle();

  @SchemaFieldDescription(
      "Seconds without rows after which a writer is idle; needs idle. Default: none; required unless"
          + " idle is WAIT.")
  abstract @Nullable Long getIdleAfterSeconds();

  @SchemaFieldDescription(
      "Seconds that a writer's proof of life is valid. Default: 600. More than a few checkpoint"
          + " intervals.")
  abstract @Nullable Long getProofValidForSeconds();

  @SchemaFieldDescription(
      "Seconds that the watermark is rounded down to: a divisor of a day of at least 900, or whole"
          + " days. Default: 3600.")
  abstract @Nullable Long getGranularitySeconds();

  @SchemaFieldDescription("Writers whose evidence the watermark needs. Default: this writer alone.")
  abstract @Nullable List<String> getRequiredWriters();

  @SchemaFieldDescription("Late records of an hour that alert nobody. Default: 0.")
  abstract @Nullable Long getLateThreshold();

  @SchemaFieldDescription(
      "Seconds in which an hour of a table alerts at most once. Default: 21600.")
  abstract @Nullable Long getLateWindowSeconds();

  @SchemaFieldDescription("Whether late records are expected and alert nobody. Default: false.")
  abstract @Nullable Boolean getBackfill();

  @SchemaFieldDescription(
      "Address that alerts of late data are posted to, beside the log; a reference, ${env:NAME} or"
          + " ${file:/path}, if it holds a secret. Default: none.")
  abstract @Nullable String getLateWebhook();

  FinalizationOptions options() {
    return Configuring.of(FinalizationOptions.defaults())
        .set("policy", getPolicy(), (f, policy) -> f.withPolicy(Policies.parse(policy)))
        .set("idle", idle(), FinalizationOptions::withIdle)
        .set(
            "granularity_seconds",
            getGranularitySeconds(),
            (f, seconds) -> f.withGranularity(Duration.standardSeconds(seconds)))
        .set(
            "required_writers",
            getRequiredWriters(),
            (f, writers) -> f.withRequiredWriters(ImmutableSet.copyOf(writers)))
        .set("late_threshold", lateAlerts(), FinalizationOptions::withLateAlerts)
        .set("late_webhook", getLateWebhook(), FinalizationConfig::withWebhook)
        .get();
  }

  private IdleHandling idle() {
    IdlePolicy policy =
        getIdle() == null
            ? IdlePolicy.WAIT
            : Configuring.named("idle", () -> Configuring.constant(IdlePolicy.class, getIdle()));
    Duration after =
        getIdleAfterSeconds() == null
            ? Duration.ZERO
            : Duration.standardSeconds(getIdleAfterSeconds());
    return Configuring.of(
            Configuring.named("idle_after_seconds", () -> IdleHandling.of(policy, after)))
        .set(
            "proof_valid_for_seconds",
            getProofValidForSeconds(),
            (i, seconds) -> i.withProofValidFor(Duration.standardSeconds(seconds)))
        .get();
  }

  private LateAlertOptions lateAlerts() {
    return Configuring.of(LateAlertOptions.standard())
        .set("late_threshold", getLateThreshold(), LateAlertOptions::withThreshold)
        .set(
            "late_window_seconds",
            getLateWindowSeconds(),
            (a, seconds) -> a.withWindow(Duration.standardSeconds(seconds)))
        .set("backfill", getBackfill(), LateAlertOptions::withBackfill)
        .get();
  }

  private static FinalizationOptions withWebhook(FinalizationOptions options, String address) {
    if (BareSecrets.isInAddress(address)) {
      throw new IllegalArgumentException(
          "it holds a password, which would be in the job graph. Use a reference, ${env:NAME} or"
              + " ${file:/path}, in its place");
    }
    return options.withLateDataListeners(
        LateDataListener.logging(),
        LateDataListener.webhook(
            Derived.of(
                "late_webhook", List.of(StaticValueProvider.of(address)), texts -> texts.get(0))));
  }
}
