package dev.tidemark.action;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.iceberg.Table;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Instant;

/** Posts notices as JSON. */
final class WebhookAdvance implements AdvanceListener {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Webhook webhook;

  WebhookAdvance(Webhook webhook) {
    this.webhook = webhook;
  }

  @Override
  public void advanced(AdvanceNotice notice, Supplier<Table> table)
      throws IOException, InterruptedException {
    webhook.post(notice.id(), body(notice));
  }

  private static String body(AdvanceNotice notice) throws IOException {
    Long snapshotId = notice.snapshotId();
    ObjectNode body = JSON.createObjectNode();
    body.put("version", 1);
    body.put("type", "advance");
    body.put("id", notice.id());
    body.put("table", notice.table());
    body.put("tableUuid", notice.tableUuid());
    body.put("branch", notice.branch());
    body.put("before", text(notice.before()));
    body.put("finalizedUntil", text(notice.finalizedUntil()));
    body.put("finalizedSince", text(notice.finalizedSince()));
    body.put("snapshotId", snapshotId == null ? null : snapshotId.toString());
    body.put("afterStart", notice.afterStart());
    body.put("reason", notice.reason());
    return JSON.writeValueAsString(body);
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : java.time.Instant.ofEpochMilli(instant.getMillis()).toString();
  }

  @Override
  public String toString() {
    return "WebhookAdvance";
  }
}
