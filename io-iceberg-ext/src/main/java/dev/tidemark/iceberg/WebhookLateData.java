package dev.tidemark.iceberg;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.action.Webhook;
import dev.tidemark.finalization.LateAlert;
import java.io.IOException;
import java.time.Instant;

/** Posts late data to a receiver. */
final class WebhookLateData implements LateDataListener {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Webhook webhook;

  WebhookLateData(Webhook webhook) {
    this.webhook = webhook;
  }

  @Override
  public void alert(LateAlert alert) throws IOException, InterruptedException {
    Long hour = alert.hourMillis();
    String hourText = hour == null ? null : Instant.ofEpochMilli(hour).toString();
    String watermark = Instant.ofEpochMilli(alert.report().watermarkMillis()).toString();
    String id =
        String.join(
            "/", "late", alert.table(), hourText, watermark, Long.toString(alert.records()));
    ObjectNode body = JSON.createObjectNode();
    body.put("version", 1);
    body.put("type", "late");
    body.put("id", id);
    body.put("table", alert.table());
    body.put("hour", hourText);
    body.put("watermark", watermark);
    body.put("records", alert.records());
    body.put("exact", alert.exact());
    body.put("text", alert.toText());
    webhook.post(id, JSON.writeValueAsString(body));
  }

  @Override
  public String toString() {
    return "WebhookLateData";
  }
}
