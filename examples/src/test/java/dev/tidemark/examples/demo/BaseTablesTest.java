package dev.tidemark.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.notNullValue;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.examples.cdc.SourceTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * Real changes of a shop merged into base tables: what the source's database held, with the
 * watermark of the change tables; and the same after the process was killed somewhere and the merge
 * was run again.
 */
@RunWith(JUnit4.class)
public final class BaseTablesTest {
  /** Points at which a merge is killed, evenly spread over the files that it opens. */
  private static final int POINTS = Boolean.getBoolean("tidemark.long") ? 60 : 12;

  private static final String KILLED = "orders";
  private static final Pattern OPERATIONS = Pattern.compile("operations (\\d+)");

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static ShopChanges shop;
  private static CatalogConfig catalog;
  private static BaseTables inRanges;

  /** Three ranges, each merged before the next one is written. */
  @BeforeClass
  public static void writeAndMerge() throws Exception {
    shop = ShopChanges.in(FOLDER.getRoot().toPath());
    catalog = shop.files().catalog();
    inRanges = BaseTables.in(catalog, "ranges");
    for (int part = 0; part < 3; part++) {
      shop.write(part, 3);
      for (SourceTable table : shop.tables()) {
        inRanges.merge(table);
      }
    }
  }

  @Test
  public void baseTablesBecomeTheSourcesTables() {
    for (SourceTable table : shop.tables()) {
      assertThat(table.name(), inRanges.merges(table).size(), is(3));
      assertRight(inRanges, table);
      assertThat(inRanges.isWatermarkCarried(table), is(true));
    }
  }

  @Test
  public void oneRangeComesToTheSame() {
    BaseTables atOnce = BaseTables.in(catalog, "at_once");
    for (SourceTable table : shop.tables()) {
      atOnce.merge(table);
      assertRight(atOnce, table);
    }
  }

  @Test
  public void killedMergeIsRepeatedAndCommitsOnce() throws Exception {
    Matcher operations = OPERATIONS.matcher(merge("whole", Integer.MAX_VALUE, 0));
    assertThat(operations.find(), is(true));
    int all = Integer.parseInt(operations.group(1));
    assertThat(all, is(greaterThan(POINTS)));
    SourceTable table = shop.table(KILLED);
    int committed = 0;
    for (int point = 0; point < POINTS; point++) {
      String namespace = "killed_" + point;
      // The last file that is opened is a point, too.
      int at = 1 + point * (all - 1) / (POINTS - 1);
      String where = merge(namespace, at, EndingFileIO.EXIT_CODE);
      BaseTables base = BaseTables.in(catalog, namespace);
      committed += merges(base.id(table).toString()) > 0 ? 1 : 0;

      base.merge(table);

      assertThat(where, merges(base.id(table).toString()), is(1));
      assertThat(where, base.compare(table).differences(), is(empty()));
      assertThat(where, base.finalizedUntil(table), is(equalTo(inRanges.finalizedUntil(table))));
      base.merge(table);
      assertThat(where, merges(base.id(table).toString()), is(1));
    }
    assertThat("killed before and after the commit", committed, is(greaterThan(0)));
    assertThat("killed before and after the commit", committed, is(lessThanOrEqualTo(POINTS - 1)));
  }

  private static void assertRight(BaseTables base, SourceTable table) {
    assertThat(table.name(), base.compare(table).differences(), is(empty()));
    assertThat(base.compare(table).size(), is(ShopFiles.finalRows(table.name()).size()));
    assertThat(base.finalizedUntil(table), is(notNullValue()));
    assertThat(base.finalizedUntil(table), is(equalTo(until(table))));
  }

  private static String until(SourceTable table) {
    return catalog
        .loadTable(BaseTables.in(catalog, ServingTables.DATABASE).id(table))
        .properties()
        .get(TidemarkKeys.main().finalizedUntil());
  }

  /** Commits of a base table that added rows. */
  private static int merges(String name) {
    TableIdentifier id = TableIdentifier.parse(name);
    if (!catalog.catalog().tableExists(id)) {
      return 0;
    }
    Table table = catalog.loadTable(id);
    int merges = 0;
    for (Snapshot snapshot : table.snapshots()) {
      merges += snapshot.summary().containsKey("added-records") ? 1 : 0;
    }
    return merges;
  }

  /** Merges in a process that ends when it opens a certain file; its output. */
  private static String merge(String namespace, int endAt, int exitCode) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.add("-Dtidemark.test.endAt=" + endAt);
    command.add("-cp");
    // Surefire may have put the class path into a manifest.
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(MergeOnce.class.getName());
    command.add(shop.files().warehouse().toString());
    command.add(shop.files().tables().toString());
    command.add(KILLED);
    command.add(namespace);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(output, process.waitFor(), is(exitCode));
    return output;
  }
}
