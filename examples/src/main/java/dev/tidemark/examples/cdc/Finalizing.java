package dev.tidemark.examples.cdc;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.action.Webhook;
import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.IdlePolicy;
import dev.tidemark.finalization.LateAlertOptions;
import dev.tidemark.finalization.Policies;
import dev.tidemark.iceberg.LateDataListener;
import dev.tidemark.secrets.Derived;
import java.util.List;
import org.joda.time.Duration;

/** How the options say that change tables are finalized. */
final class Finalizing {
  private Finalizing() {}

  static dev.tidemark.iceberg.FinalizationOptions by(FinalizationOptions options) {
    dev.tidemark.iceberg.FinalizationOptions finalization =
        dev.tidemark.iceberg.FinalizationOptions.defaults()
            .withPolicy(Policies.parse(options.getFinalizationPolicy()))
            .withIdle(idle(options))
            .withGranularity(Duration.standardMinutes(options.getFinalizationGranularityMinutes()))
            .withLateAlerts(
                LateAlertOptions.standard()
                    .withThreshold(options.getLateThreshold())
                    .withBackfill(options.getBackfill()));
    if (!options.getRequiredWriters().isEmpty()) {
      finalization =
          finalization.withRequiredWriters(
              ImmutableSet.copyOf(Splitter.on(',').split(options.getRequiredWriters())));
    }
    return Given.isGiven(options.getLateWebhook())
        ? finalization.withLateDataListeners(
            LateDataListener.logging(),
            LateDataListener.webhook(
                Webhook.to(
                    Derived.of(
                        "--lateWebhook",
                        List.of(options.getLateWebhook()),
                        texts -> texts.get(0)))))
        : finalization;
  }

  private static IdleHandling idle(FinalizationOptions options) {
    return options.getIdleTables() == IdlePolicy.WAIT
        ? IdleHandling.waiting()
        : IdleHandling.of(
            options.getIdleTables(), Duration.standardMinutes(options.getIdleAfterMinutes()));
  }
}
