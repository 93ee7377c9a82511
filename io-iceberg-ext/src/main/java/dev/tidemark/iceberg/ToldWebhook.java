package dev.tidemark.iceberg;

import dev.tidemark.finalization.LateAlert;
import java.net.URI;
import org.apache.beam.sdk.options.ValueProvider;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A webhook whose address a worker reads when there is something to tell. Never shows it. */
final class ToldWebhook implements LateDataListener {
  private static final long serialVersionUID = 1L;

  private final ValueProvider<String> address;
  private transient @Nullable LateDataListener webhook;

  ToldWebhook(ValueProvider<String> address) {
    this.address = address;
  }

  @Override
  public void alert(LateAlert alert) throws Exception {
    if (webhook == null) {
      webhook = LateDataListener.webhook(URI.create(address.get()));
    }
    webhook.alert(alert);
  }

  @Override
  public String toString() {
    return "webhook of " + address;
  }
}
