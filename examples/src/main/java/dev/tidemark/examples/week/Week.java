package dev.tidemark.examples.week;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.tidemark.catalog.CatalogConfig;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.IntConsumer;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.iceberg.Table;

/**
 * Simulates days of commits, draws what became of them, and audits it; exits with 1 if something is
 * not as it must be.
 */
public final class Week {
  static final String METADATA = "shop/orders/metadata";

  private final Scenario scenario;
  private final Table table;
  private final WeekAudit audit;
  private final Staircase staircase;
  private final int restores;

  private Week(Scenario scenario, Table table, WeekAudit audit, Staircase staircase, int restores) {
    this.scenario = scenario;
    this.table = table;
    this.audit = audit;
    this.staircase = staircase;
    this.restores = restores;
  }

  /** Runs the simulation with options as on any Beam command line. */
  public static void main(String[] args) throws Exception {
    WeekOptions options = PipelineOptionsFactory.fromArgs(args).as(WeekOptions.class);
    Path warehouse = Path.of(options.getWarehouse()).toAbsolutePath();
    if (Files.exists(warehouse)) {
      MoreFiles.deleteRecursively(warehouse, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    Scenario scenario = new Scenario(options.getDays());
    Week week = run(scenario, warehouse, hour -> progress(scenario, hour));
    Path drawing = Path.of(options.getDrawing()).toAbsolutePath();
    StaircaseSvg.write(scenario, week.staircase(), drawing);
    week.print(System.out);
    System.out.println("drawn in " + drawing);
    Path report = drawing.resolveSibling("week-report.html");
    Path simulation = drawing.resolveSibling("week-simulation.html");
    ReportPages.write(week.table(), report, simulation);
    System.out.println("reported in " + report + ", simulated in " + simulation);
    System.exit(week.audit().violations().isEmpty() ? 0 : 1);
  }

  private static void progress(Scenario scenario, int hour) {
    if (hour % 12 == 0) {
      System.err.printf(
          "simulating: hour %d of %d, %d crashes%n", hour, scenario.hours(), CrashPlan.done());
    }
  }

  /** Runs the pipelines into a new table of a warehouse, then reads what is there. */
  static Week run(Scenario scenario, Path warehouse, IntConsumer progress) throws Exception {
    Files.createDirectories(warehouse);
    CatalogConfig catalog =
        CatalogConfig.of(
                "week",
                Map.of(
                    "type",
                    "hadoop",
                    "warehouse",
                    warehouse.toString(),
                    "lock-impl",
                    ProcessLocks.class.getName()))
            .withHadoopConfiguration(Map.of("fs.file.impl", QuickLocalFiles.class.getName()));
    Path savepoints = Files.createDirectories(warehouse.resolve("savepoints"));
    try (WeekRun run = WeekRun.start(scenario, catalog, savepoints)) {
      run.run(progress);
      Table table = run.table().load();
      var history = TableHistory.read(table, warehouse.resolve(METADATA));
      WeekAudit audit = WeekAudit.of(scenario, table, history, WeekReports.late());
      Staircase staircase = Staircase.of(history, audit.lateBySnapshot());
      return new Week(scenario, table, audit, staircase, run.restores());
    }
  }

  /** The table that the pipelines filled. */
  Table table() {
    return table;
  }

  WeekAudit audit() {
    return audit;
  }

  Staircase staircase() {
    return staircase;
  }

  /** Restores from savepoints. */
  int restores() {
    return restores;
  }

  private void print(PrintStream out) {
    StaircaseText.print(scenario, staircase, out);
    out.println();
    WeekPages.printDays(scenario, staircase, out);
    out.println();
    WeekPages.printAudit(audit, staircase, restores, out);
  }
}
