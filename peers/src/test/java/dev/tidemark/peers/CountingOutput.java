package dev.tidemark.peers;

import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.OutputTag;

/** Counts the rows that an operator emits, and drops them. */
final class CountingOutput implements Output<StreamRecord<RowData>> {
  private long rows;

  long rows() {
    return rows;
  }

  @Override
  public void collect(StreamRecord<RowData> row) {
    rows++;
  }

  @Override
  public <X> void collect(OutputTag<X> tag, StreamRecord<X> row) {
    throw new UnsupportedOperationException("A materializer has no side output.");
  }

  @Override
  public void emitWatermark(Watermark watermark) {}

  @Override
  public void emitWatermark(WatermarkEvent watermark) {}

  @Override
  public void emitWatermarkStatus(WatermarkStatus status) {}

  @Override
  public void emitLatencyMarker(LatencyMarker marker) {}

  @Override
  public void emitRecordAttributes(RecordAttributes attributes) {}

  @Override
  public void close() {}
}
