package dev.tidemark.iceberg;

import dev.tidemark.finalization.LateAlert;
import java.io.Serializable;
import java.net.URI;

/**
 * Is told of late data: once per table and hour within a time window, above a threshold, as {@link
 * FinalizationOptions#withLateAlerts} says. After a failure it may be told again.
 */
@FunctionalInterface
public interface LateDataListener extends Serializable {
  /**
   * Takes an alert. It runs on the thread that reports commits and advances watermarks, which waits
   * for it: it must not take long. What it throws is logged and counted, and fails nothing.
   */
  void alert(LateAlert alert) throws Exception;

  /** Logs each alert as a warning. */
  static LateDataListener logging() {
    return LogLateData.INSTANCE;
  }

  /**
   * Posts each alert as JSON to an address: {@code table}, {@code hour} (ISO-8601, or null), {@code
   * records}, {@code exact}, {@code text}. Waits ten seconds at most.
   *
   * @throws IllegalArgumentException unless the address is http or https and has a host
   */
  static LateDataListener webhook(URI address) {
    return WebhookLateData.to(address);
  }
}
