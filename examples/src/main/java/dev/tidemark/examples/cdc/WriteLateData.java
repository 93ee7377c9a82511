package dev.tidemark.examples.cdc;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.iceberg.LateData;
import java.time.Clock;
import java.util.List;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;

/** Writes each report of late data to a folder, if the options name one. */
final class WriteLateData {
  private static final ObjectMapper JSON = new ObjectMapper();

  private WriteLateData() {}

  static void write(List<CdcTable> tables, CdcOptions options) {
    if (!Given.isGiven(options.getLateDataFolder())) {
      return;
    }
    List<PCollection<String>> reports =
        tables.stream()
            .map(
                table ->
                    table
                        .late()
                        .apply("LateReport_" + table.name(), MapElements.via(new Text()))
                        .setCoder(StringUtf8Coder.of()))
            .toList();
    PCollectionList.of(reports)
        .apply("LateReports", Flatten.pCollections())
        .apply(
            "WriteLateReports",
            ParDo.of(
                new WriteFolderFn(
                    "lateDataFolder", options.getLateDataFolder(), Clock.systemUTC())))
        .setCoder(VoidCoder.of());
  }

  /** A report as a JSON object; the snapshot's id is a text, since it does not fit a double. */
  static final class Text extends SimpleFunction<LateData, String> {
    @Override
    public String apply(LateData late) {
      ObjectNode report = JSON.createObjectNode();
      report.put("table", late.table());
      report.put("writer", late.writer());
      report.put("snapshotId", Long.toString(late.snapshotId()));
      report.put("watermark", late.watermark().toString());
      report.put("records", late.records());
      report.put("exact", late.exact());
      report.put("widthMs", late.width().getMillis());
      ObjectNode byHour = report.putObject("recordsByHour");
      late.recordsByHour().forEach((hour, records) -> byHour.put(hour.toString(), records));
      return report.toString();
    }
  }
}
