package dev.tidemark.iceberg;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.action.AdvanceListener;
import dev.tidemark.action.Webhook;
import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.LateAlertOptions;
import dev.tidemark.finalization.Policies;
import dev.tidemark.schematransform.Configuring;
import dev.tidemark.secrets.BareSecrets;
import dev.tidemark.secrets.Derived;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.options.ValueProvider;
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

  @SchemaFieldDescription(
      "What to do while single writers commit nothing, instead of idle. Default: idle, for all.")
  abstract @Nullable List<IdleConfig> getWriterIdle();

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

  @SchemaFieldDescription(
      "Address that moves of the watermark are posted to, beside the log; a reference, ${env:NAME} or"
          + " ${file:/path}, if it holds a secret. Default: none.")
  abstract @Nullable String getAdvanceWebhook();

  @SchemaFieldDescription(
      "Reference to the secret that both webhooks are signed with. Default: they are not signed.")
  abstract @Nullable String getWebhookSecret();

  @SchemaFieldDescription("Tags for final partitions; {} for the defaults. Default: none.")
  abstract @Nullable FinalTagsConfig getTags();

  @SchemaFieldDescription("Files that mark final partitions; {} for the defaults. Default: none.")
  abstract @Nullable FinalMarkersConfig getMarkers();

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
        .set("writer_idle", getWriterIdle(), FinalizationConfig::withWriterIdle)
        .set(
            "late_webhook",
            getLateWebhook(),
            (f, address) ->
                f.withLateDataListeners(
                    LateDataListener.logging(),
                    LateDataListener.webhook(webhook("late_webhook", address))))
        .set("advance_webhook", advanceListeners(), FinalizationOptions::withAdvanceListeners)
        .get();
  }

  private IdleHandling idle() {
    return IdleConfig.handling(getIdle(), getIdleAfterSeconds(), getProofValidForSeconds());
  }

  private static FinalizationOptions withWriterIdle(
      FinalizationOptions options, List<IdleConfig> writers) {
    FinalizationOptions with = options;
    for (IdleConfig writer : writers) {
      with = with.withIdle(writer.getWriter(), writer.handling());
    }
    return with;
  }

  /** Those that are told of advances; null for the default. */
  private AdvanceListener @Nullable [] advanceListeners() {
    List<AdvanceListener> listeners = new ArrayList<>();
    String address = getAdvanceWebhook();
    FinalTagsConfig tags = getTags();
    FinalMarkersConfig markers = getMarkers();
    if (address != null) {
      listeners.add(
          Configuring.named(
              "advance_webhook",
              () -> AdvanceListener.webhook(webhook("advance_webhook", address))));
    }
    if (tags != null) {
      listeners.add(Configuring.named("tags", tags::listener));
    }
    if (markers != null) {
      listeners.add(Configuring.named("markers", markers::listener));
    }
    if (listeners.isEmpty()) {
      return null;
    }
    listeners.add(0, AdvanceListener.logging());
    return listeners.toArray(new AdvanceListener[0]);
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

  private Webhook webhook(String name, String address) {
    checkArgument(
        !BareSecrets.isInAddress(address),
        "it holds a password, which would be in the job graph. Use a reference, ${env:NAME} or"
            + " ${file:/path}, in its place");
    String secret = getWebhookSecret();
    checkArgument(
        secret == null || !BareSecrets.isOne("secret", secret),
        "webhook_secret is the secret itself, which would be in the job graph. Use a reference,"
            + " ${env:NAME} or ${file:/path}");
    Webhook webhook = Webhook.to(told(name, address));
    return secret == null ? webhook : webhook.withSecret(told("webhook_secret", secret));
  }

  private static ValueProvider<String> told(String name, String text) {
    return Derived.of(name, List.of(StaticValueProvider.of(text)), texts -> texts.get(0));
  }
}
