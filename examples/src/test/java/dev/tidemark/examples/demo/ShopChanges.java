package dev.tidemark.examples.demo;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.examples.cdc.CdcOptions;
import dev.tidemark.examples.cdc.CdcPipeline;
import dev.tidemark.examples.cdc.EventLine;
import dev.tidemark.examples.cdc.SourceTable;
import dev.tidemark.examples.cdc.SourceTables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.transforms.Create;

/** The change tables of the shop, which bounded runs of the pipeline write on recorded events. */
final class ShopChanges {
  private final ShopFiles files;
  private final List<DebeziumRecord> events = new ArrayList<>();

  private ShopChanges(ShopFiles files) {
    this.files = files;
  }

  static ShopChanges in(Path folder) throws Exception {
    ShopChanges changes = new ShopChanges(ShopFiles.write(folder));
    for (String line : ShopFiles.lines("events")) {
      changes.events.add(EventLine.parse(line).record());
    }
    return changes;
  }

  ShopFiles files() {
    return files;
  }

  List<SourceTable> tables() {
    return SourceTables.read(files.tables().toString());
  }

  SourceTable table(String name) {
    return tables().stream().filter(table -> table.name().equals(name)).findFirst().orElseThrow();
  }

  /** Writes a part of all events: one commit to each table. */
  void write(int part, int parts) throws Exception {
    try (DorisEmulator doris = ServingTables.start()) {
      Map<String, String> parameters = files.options(doris);
      parameters.put("runner", "DirectRunner");
      parameters.put("icebergRowGrouping", "10000");
      parameters.put("upsertShards", "8");
      parameters.put("finalizationPolicy", "minOfMins(1, PT0S)");
      List<String> arguments = new ArrayList<>();
      parameters.forEach((name, value) -> arguments.add("--" + name + "=" + value));
      CdcOptions options = CdcPipeline.options(arguments.toArray(new String[0]));
      Pipeline pipeline = Pipeline.create(options);
      CdcPipeline.build(
          pipeline.apply(
              Create.of(
                  events.subList(
                      part * events.size() / parts, (part + 1) * events.size() / parts))),
          options);
      assertThat(pipeline.run().waitUntilFinish(), is(State.DONE));
    }
    assertThat(files.writtenDeadLetters(), is(List.of()));
  }
}
