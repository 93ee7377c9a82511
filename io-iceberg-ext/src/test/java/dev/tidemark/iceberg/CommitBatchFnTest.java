package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDERS;
import static dev.tidemark.iceberg.Warehouse.ORDERS_NAME;
import static dev.tidemark.iceberg.Warehouse.order;
import static dev.tidemark.iceberg.Warehouse.result;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.commit.CommitException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.OutputBuilder;
import org.apache.beam.sdk.values.WindowedValues;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The commit of a batch, called as often as a runner may call it. */
@RunWith(JUnit4.class)
public class CommitBatchFnTest {
  private static final PaneInfo LATE =
      PaneInfo.createPane(false, false, PaneInfo.Timing.LATE, 1, 1);

  @Rule public final Warehouse warehouse = new Warehouse();

  @Test
  public void repeatedBatchKeepsTheFirstFilesAndReportsTheOthers() {
    Table table = warehouse.create(ORDERS_NAME);
    BundleResult first = result(table, order(1, null, "eu"), order(2, null, "eu"));
    BundleResult again = result(table, order(1, null, "eu"), order(2, null, "eu"));

    List<TableEvent> won = commit("run", GlobalWindow.INSTANCE, first);
    List<TableEvent> lost = commit("run", GlobalWindow.INSTANCE, again);

    assertThat(won, hasSize(1));
    assertThat(won.get(0).commit().replayed(), is(false));
    assertThat(lost, hasSize(2));
    assertThat(lost.get(0).commit().replayed(), is(true));
    assertThat(lost.get(0).commit().snapshotId(), is(won.get(0).commit().snapshotId()));
    assertThat(json(lost.get(1)), containsString(Warehouse.paths(again).get(0)));
    assertThat(lost.get(1).tallies().orphanFiles(), is(1));
    assertThat(warehouse.livePaths(ORDERS_NAME), contains(Warehouse.paths(first).get(0)));
  }

  @Test
  public void sameFilesAgainAreNoOrphans() {
    Table table = warehouse.create(ORDERS_NAME);
    BundleResult one = result(table, order(1, null, "eu"));
    BundleResult other = result(table, order(2, null, "eu"));

    commit("run", GlobalWindow.INSTANCE, one, other);
    List<TableEvent> again = commit("run", GlobalWindow.INSTANCE, other, one);

    assertThat(again, hasSize(1));
    assertThat(again.get(0).commit().replayed(), is(true));
    assertThat(warehouse.orders(ORDERS_NAME), hasSize(2));
  }

  @Test
  public void orphansThatCannotBeToldAreReportedAsSuch() {
    Table table = warehouse.create(ORDERS_NAME);
    commit("run", GlobalWindow.INSTANCE, result(table, order(1, null, "eu")));
    commit("later", GlobalWindow.INSTANCE, result(table, order(2, null, "eu")));
    table.refresh();
    table.expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();
    BundleResult again = result(table, order(1, null, "eu"));

    List<TableEvent> events = commit("run", GlobalWindow.INSTANCE, again);

    assertThat(json(events.get(1)), containsString(Warehouse.paths(again).get(0)));
    assertThat(
        events.get(1).failure().getFailure().getDescription(),
        containsString("may have come after another one"));
    assertThat(warehouse.orders(ORDERS_NAME), hasSize(2));
  }

  @Test
  public void windowsRunsAndPanesAreWorkOfTheirOwn() {
    Table table = warehouse.create(ORDERS_NAME);
    IntervalWindow ten =
        new IntervalWindow(Instant.parse("2024-05-01T10:00:00Z"), Duration.standardHours(1));
    IntervalWindow eleven =
        new IntervalWindow(Instant.parse("2024-05-01T11:00:00Z"), Duration.standardHours(1));

    commit("run", ten, result(table, order(1, null, "eu")));
    commit("run", eleven, result(table, order(2, null, "eu")));
    commit("rerun", ten, result(table, order(3, null, "eu")));
    commit(fn("run", false), ORDERS_NAME, ten, LATE, result(table, order(4, null, "eu")));

    assertThat(
        warehouse.orders(ORDERS_NAME).stream().map(row -> row.getInt64("id")).toList(),
        containsInAnyOrder(1L, 2L, 3L, 4L));
  }

  @Test
  public void tableThatIsGoneFailsThePipelineThatWritesNothingElse() {
    Table table = warehouse.create(ORDERS_NAME);
    BundleResult result = result(table, order(1, null, "eu"));
    warehouse.config().catalog().dropTable(ORDERS, false);

    assertThrows(NoSuchTableException.class, () -> commit("run", GlobalWindow.INSTANCE, result));
  }

  @Test
  public void tableThatIsGoneGivesUpItsFilesWhereThereAreOthers() {
    Table table = warehouse.create(ORDERS_NAME);
    BundleResult result = result(table, order(1, null, "eu"));
    warehouse.config().catalog().dropTable(ORDERS, false);

    List<TableEvent> events =
        commit(fn("run", true), ORDERS_NAME, GlobalWindow.INSTANCE, PaneInfo.NO_FIRING, result);

    assertThat(events, hasSize(1));
    assertThat(json(events.get(0)), containsString(Warehouse.paths(result).get(0)));
    assertThat(events.get(0).tallies().parkedResults(), is(1));
  }

  @Test
  public void recreatedTableIsRefusedWhateverItsPartitions() {
    Table table = warehouse.create(ORDERS_NAME, "region", "hour(placed)");
    BundleResult result = result(table, order(1, "2024-05-01T10:00:00Z", "eu"));
    warehouse.config().catalog().dropTable(ORDERS, false);
    Table other = warehouse.create(ORDERS_NAME);
    assertThat(other.spec(), is(PartitionSpec.unpartitioned()));

    CommitException e =
        assertThrows(CommitException.class, () -> commit("run", GlobalWindow.INSTANCE, result));

    assertThat(e.kind(), is(CommitException.Kind.TABLE_RECREATED));
  }

  private List<TableEvent> commit(String runId, BoundedWindow window, BundleResult... results) {
    return commit(fn(runId, false), ORDERS_NAME, window, PaneInfo.NO_FIRING, results);
  }

  private CommitBatchFn fn(String runId, boolean severalTables) {
    WriteRows write = warehouse.write().to(ORDERS);
    Accumulating none =
        Accumulating.of(write.accumulators(), Warehouse.ORDER, CoderRegistry.createDefault());
    CommitBatchFn fn = new CommitBatchFn(new TableCommitter(write, none), runId, severalTables);
    fn.setup();
    return fn;
  }

  private static List<TableEvent> commit(
      CommitBatchFn fn,
      String table,
      BoundedWindow window,
      PaneInfo pane,
      BundleResult... results) {
    List<TableEvent> events = new ArrayList<>();
    fn.process(KV.of(table, List.of(results)), window, pane, collecting(events));
    return events;
  }

  private static DoFn.OutputReceiver<TableEvent> collecting(List<TableEvent> events) {
    return new DoFn.OutputReceiver<>() {
      @Override
      public OutputBuilder<TableEvent> builder(TableEvent event) {
        return WindowedValues.<TableEvent>builder()
            .setValue(event)
            .setTimestamp(BoundedWindow.TIMESTAMP_MIN_VALUE)
            .setWindows(List.of(GlobalWindow.INSTANCE))
            .setPaneInfo(PaneInfo.NO_FIRING)
            .setReceiver(value -> events.add(value.getValue()));
      }
    };
  }

  private static String json(TableEvent event) {
    return event.failure().getRecord().getHumanReadableJsonRecord();
  }
}
