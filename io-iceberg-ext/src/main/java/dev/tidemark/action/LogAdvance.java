package dev.tidemark.action;

import java.util.function.Supplier;
import org.apache.iceberg.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs moves of watermarks; what was there at the start is no news. */
enum LogAdvance implements AdvanceListener {
  INSTANCE;

  private static final Logger LOG = LoggerFactory.getLogger(LogAdvance.class);

  @Override
  public void advanced(AdvanceNotice notice, Supplier<Table> table) {
    if (!notice.afterStart()) {
      LOG.info("Table {} is finalized until {}", notice.table(), notice.finalizedUntil());
    }
  }
}
