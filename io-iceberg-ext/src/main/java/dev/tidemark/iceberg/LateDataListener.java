package dev.tidemark.iceberg;

import dev.tidemark.action.Webhook;
import dev.tidemark.finalization.LateAlert;
import java.io.Serializable;
import java.net.URI;
import org.apache.beam.sdk.options.ValueProvider;

/**
 * Is told of late data: once per table and hour within a time window, above a threshold, as {@link
 * FinalizationOptions#withLateAlerts} says. After a failure it may be told again.
 */
@FunctionalInterface
public interface LateDataListener extends Serializable {
  /**
   * Takes an alert, on a thread of the listener's own that neither commits nor advances wait for.
   * What it throws is logged and counted, and the alert is tried again for up to an hour, unless it
   * is a {@link dev.tidemark.action.PermanentFailureException}; it fails nothing.
   */
  void alert(LateAlert alert) throws Exception;

  /** Logs each alert as a warning. */
  static LateDataListener logging() {
    return LogLateData.INSTANCE;
  }

  /**
   * Posts each alert as JSON to an address, unsigned. See {@link #webhook(Webhook)}.
   *
   * @throws IllegalArgumentException unless the address is http or https and has a host
   */
  static LateDataListener webhook(URI address) {
    return webhook(Webhook.to(address));
  }

  /**
   * Posts each alert as JSON: {@code version}, {@code type} ({@code late}), {@code id}, {@code
   * table}, {@code hour} (the hour that is reopened, ISO-8601; or null), {@code watermark}, {@code
   * records}, {@code exact}, {@code text}.
   */
  static LateDataListener webhook(Webhook webhook) {
    return new WebhookLateData(webhook);
  }

  /** As {@link #webhook(URI)}, with an address that is told when the pipeline runs. */
  static LateDataListener webhook(ValueProvider<String> address) {
    return webhook(Webhook.to(address));
  }
}
