package dev.tidemark.iceberg;

import dev.tidemark.finalization.LateAlert;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs late data; the counter {@code lateRecords} goes with it. */
enum LogLateData implements LateDataListener {
  INSTANCE;

  private static final Logger LOG = LoggerFactory.getLogger(LogLateData.class);

  @Override
  public void alert(LateAlert alert) {
    LOG.warn("{}. The watermark holds; rerun what read these hours", alert.toText());
  }
}
