package dev.tidemark.examples.cdc;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.examples.demo.ServingTables;
import dev.tidemark.examples.demo.ShopFiles;
import dev.tidemark.examples.demo.TruthCheck;
import dev.tidemark.flink.TidemarkFlinkOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.iceberg.catalog.TableIdentifier;

/** The shop's files and an emulator with its tables, and whether they are right in the end. */
final class ShopRun implements AutoCloseable {
  private final ShopFiles files;
  private final DorisEmulator doris;

  private ShopRun(ShopFiles files, DorisEmulator doris) {
    this.files = files;
    this.doris = doris;
  }

  static ShopRun in(Path folder) throws Exception {
    return new ShopRun(ShopFiles.write(folder), ServingTables.start());
  }

  ShopFiles files() {
    return files;
  }

  DorisEmulator doris() {
    return doris;
  }

  /** Options as on a command line; of two with one name the last one counts. */
  String[] arguments(String... more) {
    Map<String, String> options = files.options(doris);
    for (String argument : more) {
      int end = argument.indexOf('=');
      String name = argument.substring(2, end);
      String value = argument.substring(end + 1);
      if (value.isEmpty()) {
        options.remove(name);
      } else {
        options.put(name, value);
      }
    }
    List<String> arguments = new ArrayList<>();
    options.forEach((name, value) -> arguments.add("--" + name + "=" + value));
    return arguments.toArray(new String[0]);
  }

  /** Tables and dead letters differ from what they should be in these ways. */
  List<String> differences() throws Exception {
    List<String> differences = new ArrayList<>(files.writtenDeadLetters());
    CatalogConfig catalog =
        CatalogConfig.of(
            "demo", Map.of("type", "hadoop", "warehouse", files.warehouse().toString()));
    for (SourceTable table : SourceTables.read(files.tables().toString())) {
      TruthCheck truth = TruthCheck.of(table.key(), ShopFiles.finalRows(table.name()));
      truth
          .compareRows(doris.rows(ServingTables.DATABASE, table.name()))
          .differences()
          .forEach(difference -> differences.add("Doris " + table.name() + ": " + difference));
      TableIdentifier name = TableIdentifier.of(ServingTables.DATABASE, table.name());
      if (!catalog.catalog().tableExists(name)) {
        differences.add("Iceberg " + table.name() + ": is missing");
        continue;
      }
      truth
          .compareChanges(catalog.loadTable(name))
          .differences()
          .forEach(difference -> differences.add("Iceberg " + table.name() + ": " + difference));
    }
    return differences;
  }

  void assertRight() throws Exception {
    assertThat(differences(), empty());
  }

  /** What an embedded cluster needs of options that were parsed for it. */
  static void onto(TidemarkFlinkOptions cluster, PipelineOptions parsed) {
    TidemarkFlinkOptions options = parsed.as(TidemarkFlinkOptions.class);
    options.setFlinkMaster(cluster.getFlinkMaster());
    options.setFilesToStage(cluster.getFilesToStage());
    options.setAttachedMode(false);
    options.setNumberOfExecutionRetries(cluster.getNumberOfExecutionRetries());
    options.setExecutionRetryDelay(0L);
  }

  @Override
  public void close() {
    doris.close();
  }
}
