package dev.tidemark.examples.demo;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.cli.TidemarkCommand;
import dev.tidemark.doris.DorisLoad;
import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.iceberg.LateData;
import dev.tidemark.iceberg.TableAdvance;
import dev.tidemark.iceberg.TableCommit;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;

/** Says what the replay left in the tables, and whether that is right. */
final class DemoReport {
  private DemoReport() {}

  /** Returns whether everything is as it must be. */
  static boolean print(
      CatalogConfig catalog, Path warehouse, DorisEmulator doris, PrintStream out) {
    boolean right = true;
    for (ShopTable shop : ShopTable.values()) {
      right &= print(shop, catalog, warehouse, doris, out);
    }
    if (!DemoEvents.FAILED.isEmpty()) {
      out.printf("%nFAILED: %d records went to the error output%n", DemoEvents.FAILED.size());
      DemoEvents.FAILED.stream()
          .limit(5)
          .forEach(failed -> out.println("  " + failed.getFailure().getDescription()));
      right = false;
    }
    out.printf("%n%s%n", right ? "All tables are equal to the source's." : "NOT EQUAL.");
    return right;
  }

  private static boolean print(
      ShopTable shop, CatalogConfig catalog, Path warehouse, DorisEmulator doris, PrintStream out) {
    TableIdentifier id = TableIdentifier.of(DemoPipeline.NAMESPACE, shop.tableName());
    Table table = catalog.loadTable(id);
    out.printf("%n== %s ==%n", id);
    List<TableCommit> commits =
        DemoEvents.COMMITS.stream().filter(commit -> commit.table().equals(id.toString())).toList();
    out.printf(
        "%d changes in %d commits%n",
        commits.stream().mapToLong(TableCommit::rows).sum(), commits.size());
    out.printf(
        "%-20s %5s %-24s %-24s %s%n",
        "snapshot", "rows", "event time from", "to", "below watermark");
    for (TableCommit commit : commits) {
      CommitFacts facts = commit.facts();
      out.printf(
          "%-20d %5d %-24s %-24s %s%n",
          commit.snapshotId(),
          commit.rows(),
          time(facts == null ? null : facts.minMillis()),
          time(facts == null ? null : facts.maxMillis()),
          commit.lateness() == null ? "-" : commit.lateness().lateRecords() + " late");
    }
    out.println("finalization watermark:");
    DemoEvents.ADVANCES.stream()
        .filter(advance -> advance.table().equals(id.toString()))
        .forEach(advance -> printStep(advance, out));
    boolean right = printLate(shop, id, out);
    out.println("tidemark show:");
    int exit =
        TidemarkCommand.execute(
            out,
            System.err,
            "show",
            "--catalog=demo",
            "--property=type=hadoop",
            "--property=warehouse=" + warehouse,
            "--table=" + id);
    printLoads(shop, out);
    TruthCheck.Result rows =
        TruthCheck.compareRows(shop, doris.rows(ServingTables.DATABASE, shop.tableName()));
    right &= print("rows in Doris", rows, out);
    TruthCheck.Result changes = TruthCheck.compareChanges(shop, table);
    right &= print("changes in the table, folded", changes, out);
    return right && exit == 0;
  }

  private static boolean print(String what, TruthCheck.Result result, PrintStream out) {
    out.printf(
        "%d %s: %s%n",
        result.size(),
        what,
        result.isEqual() ? "equal to the source's table" : "NOT EQUAL to the source's table");
    result.differences().stream().limit(10).forEach(difference -> out.println("  " + difference));
    return result.isEqual();
  }

  private static void printLoads(ShopTable shop, PrintStream out) {
    long loads = 0;
    long rows = 0;
    long bytes = 0;
    for (DorisLoad load : DemoEvents.LOADS) {
      if (load.table().equals(shop.tableName())) {
        loads++;
        rows += load.rows();
        bytes += load.bytes();
      }
    }
    out.printf("Doris: %d loads, %d upserts and deletes, %d bytes of Arrow%n", loads, rows, bytes);
  }

  private static void printStep(TableAdvance advance, PrintStream out) {
    out.printf(
        "  %s -> %s%n",
        advance.before() == null ? "(none)" : advance.before(), advance.finalizedUntil());
  }

  /** Compares the reported late records with those that the replay held back. */
  private static boolean printLate(ShopTable shop, TableIdentifier id, PrintStream out) {
    long reported = 0;
    for (LateData late : DemoEvents.LATE) {
      if (late.table().equals(id.toString())) {
        reported += late.records();
        out.printf(
            "late: %d records below %s, by hour %s%n",
            late.records(), late.watermark(), late.recordsByHour());
      }
    }
    long held = ReplayPlan.heldBack(shop.topic());
    if (reported != held) {
      out.printf("NOT EQUAL: %d changes were held back, %d reported late%n", held, reported);
    }
    return reported == held;
  }

  private static String time(Long millis) {
    return millis == null ? "-" : Instant.ofEpochMilli(millis).toString();
  }
}
