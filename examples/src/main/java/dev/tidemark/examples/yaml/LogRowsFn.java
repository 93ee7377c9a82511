package dev.tidemark.examples.yaml;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.Row;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs each row, for those who try a pipeline out, and hands it on. */
final class LogRowsFn extends DoFn<Row, Row> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(LogRowsFn.class);

  private final Level level;
  private final String prefix;

  LogRowsFn(Level level, String prefix) {
    this.level = level;
    this.prefix = prefix;
  }

  @ProcessElement
  public void process(@Element Row row, OutputReceiver<Row> out) {
    LOG.atLevel(level).log("{}{}", prefix, row);
    out.output(row);
  }
}
