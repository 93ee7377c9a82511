package dev.tidemark.examples.week;

import dev.tidemark.iceberg.IcebergWriteResult;
import dev.tidemark.iceberg.LateData;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;

/** What the pipelines of this process report. */
final class WeekReports {
  private static final List<LateData> LATE = new CopyOnWriteArrayList<>();
  private static final List<BadRecord> FAILED = new CopyOnWriteArrayList<>();

  private WeekReports() {}

  static void reset() {
    LATE.clear();
    FAILED.clear();
  }

  /** Reports of late data; at least one for each commit that brought some. */
  static List<LateData> late() {
    return List.copyOf(LATE);
  }

  static List<BadRecord> failed() {
    return List.copyOf(FAILED);
  }

  static void collect(IcebergWriteResult written) {
    written.late().apply("Late", ParDo.of(new LateFn())).setCoder(VoidCoder.of());
    written.failed().apply("Failed", ParDo.of(new FailedFn())).setCoder(VoidCoder.of());
  }

  private static final class LateFn extends DoFn<LateData, Void> {
    @ProcessElement
    public void process(@Element LateData late) {
      LATE.add(late);
    }
  }

  private static final class FailedFn extends DoFn<BadRecord, Void> {
    @ProcessElement
    public void process(@Element BadRecord failed) {
      FAILED.add(failed);
    }
  }
}
