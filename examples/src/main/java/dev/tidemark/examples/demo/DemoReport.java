package dev.tidemark.examples.demo;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.cli.TidemarkCommand;
import dev.tidemark.doris.DorisLoad;
import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.examples.cdc.SourceTable;
import dev.tidemark.examples.cdc.SourceTables;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.iceberg.LateData;
import dev.tidemark.iceberg.TableAdvance;
import dev.tidemark.iceberg.TableCommit;
import dev.tidemark.merge.MergeResult;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;

/** Says what the replay left in the tables, and whether that is right. */
final class DemoReport {
  private final ShopFiles files;
  private final DorisEmulator doris;
  private final PrintStream out;
  private final BaseTables base;
  private final CatalogConfig catalog;

  private DemoReport(ShopFiles files, DorisEmulator doris, BaseTables base, PrintStream out) {
    this.files = files;
    this.doris = doris;
    this.base = base;
    this.out = out;
    this.catalog = files.catalog();
  }

  static DemoReport of(ShopFiles files, DorisEmulator doris, BaseTables base, PrintStream out) {
    return new DemoReport(files, doris, base, out);
  }

  /** Returns whether everything is as it must be. */
  boolean print() throws IOException {
    boolean right = true;
    for (SourceTable table : SourceTables.read(files.tables().toString())) {
      right &= print(table);
    }
    List<String> deadLetters = files.writtenDeadLetters();
    if (!deadLetters.isEmpty()) {
      out.printf("%nFAILED: %d dead letters in %s%n", deadLetters.size(), files.deadLetters());
      right = false;
    }
    out.printf("%n%s%n", right ? "All tables are equal to the source's." : "NOT EQUAL.");
    return right;
  }

  private boolean print(SourceTable shop) {
    TableIdentifier id = TableIdentifier.of(ServingTables.DATABASE, shop.name());
    Table table = catalog.loadTable(id);
    out.printf("%n== %s ==%n", id);
    printCommits(id);
    out.println("finalization watermark:");
    DemoEvents.ADVANCES.stream()
        .filter(advance -> advance.table().equals(id.toString()))
        .forEach(this::printStep);
    boolean right = printLate(shop, id);
    out.println("tidemark show:");
    int exit =
        TidemarkCommand.execute(
            out,
            System.err,
            "show",
            "--catalog=demo",
            "--property=type=hadoop",
            "--property=warehouse=" + files.warehouse(),
            "--table=" + id);
    printLoads(shop);
    TruthCheck truth = TruthCheck.of(shop.key(), ShopFiles.finalRows(shop.name()));
    right &=
        print("rows in Doris", truth.compareRows(doris.rows(ServingTables.DATABASE, shop.name())));
    right &= print("changes in the table, folded", truth.compareChanges(table));
    right &= printBase(shop);
    return right && exit == 0;
  }

  private void printCommits(TableIdentifier id) {
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
  }

  private boolean print(String what, TruthCheck.Result result) {
    out.printf(
        "%d %s: %s%n",
        result.size(),
        what,
        result.isEqual() ? "equal to the source's table" : "NOT EQUAL to the source's table");
    result.differences().stream().limit(10).forEach(difference -> out.println("  " + difference));
    return result.isEqual();
  }

  private boolean printBase(SourceTable shop) {
    List<MergeResult> merges = base.merges(shop);
    out.printf(
        "Base table %s: %d merges of %d changes%n",
        base.id(shop),
        merges.size(),
        merges.stream().mapToLong(merge -> merge.sources().get(0).changes()).sum());
    boolean right = print("rows in the base table", base.compare(shop));
    boolean carried = base.isWatermarkCarried(shop);
    out.printf(
        "finalized until %s: %s%n",
        base.finalizedUntil(shop),
        carried ? "as the changes that were merged" : "NOT EQUAL to what the change table says");
    return right && carried;
  }

  private void printLoads(SourceTable shop) {
    long loads = 0;
    long rows = 0;
    long bytes = 0;
    for (DorisLoad load : DemoEvents.LOADS) {
      if (load.table().equals(shop.name())) {
        loads++;
        rows += load.rows();
        bytes += load.bytes();
      }
    }
    out.printf("Doris: %d loads, %d upserts and deletes, %d bytes of Arrow%n", loads, rows, bytes);
  }

  private void printStep(TableAdvance advance) {
    out.printf(
        "  %s -> %s%n",
        advance.before() == null ? "(none)" : advance.before(), advance.finalizedUntil());
  }

  /** Compares the reported late records with those that the replay held back. */
  private boolean printLate(SourceTable shop, TableIdentifier id) {
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
