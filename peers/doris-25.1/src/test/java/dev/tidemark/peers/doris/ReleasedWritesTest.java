package dev.tidemark.peers.doris;

import static dev.tidemark.peers.doris.Stage.row;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;

import dev.tidemark.doris.emulator.TransactionInfo;
import dev.tidemark.doris.emulator.TransactionState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Three rows by each of the ways that the released connector can take to a table. */
@RunWith(Parameterized.class)
public final class ReleasedWritesTest {
  private static final String QUERY =
      "VALUES (1, 'alpha'), (2, CAST(NULL AS STRING)), (3, '\u4e2d\u6587')";
  private static final String BACKEND = "the backend";

  /** How the label of a load is made, and how it is committed. */
  private enum Commit {
    TWO_PHASE,
    AT_ONCE
  }

  @Rule public final Stage stage = new Stage();

  private final Map<String, String> options;
  private final Commit commit;

  public ReleasedWritesTest(String name, Map<String, String> options, Commit commit) {
    this.options = options;
    this.commit = commit;
  }

  @Parameters(name = "{0}")
  public static List<Object[]> ways() {
    Map<String, String> json = Formats.with(Formats.json(), "sink.enable-delete", "false");
    Map<String, String> csv = Formats.with(Formats.csv(), "sink.enable-delete", "false");
    Map<String, String> arrow = Formats.arrow();
    Map<String, String> batch =
        Map.of("sink.enable.batch-mode", "true", "sink.enable-2pc", "false");
    return List.of(
        way("json", Formats.twoPhase(json, "w"), Commit.TWO_PHASE),
        way("csv", Formats.twoPhase(csv, "w"), Commit.TWO_PHASE),
        way("arrow", Formats.twoPhase(arrow, "w"), Commit.TWO_PHASE),
        way(
            "arrow, backends asked of the frontend",
            Formats.with(Formats.twoPhase(arrow, "w"), "auto-redirect", "false"),
            Commit.TWO_PHASE),
        way(
            "arrow, straight to a backend",
            Formats.with(Formats.twoPhase(arrow, "w"), "benodes", BACKEND),
            Commit.TWO_PHASE),
        way(
            "json, compressed",
            Formats.with(Formats.twoPhase(json, "w"), "sink.properties.compress_type", "gz"),
            Commit.TWO_PHASE),
        way("arrow, defaults", Formats.with(arrow, "sink.label-prefix", "w"), Commit.AT_ONCE),
        way(
            "json, group commit",
            Formats.with(
                json,
                "sink.label-prefix",
                "w",
                "sink.enable-2pc",
                "false",
                "sink.properties.group_commit",
                "async_mode"),
            Commit.AT_ONCE),
        way("json, batches", withAll(json, batch), Commit.AT_ONCE),
        way("csv, batches", withAll(csv, batch), Commit.AT_ONCE),
        way("arrow, batches", withAll(arrow, batch), Commit.AT_ONCE));
  }

  @Test
  public void rowsArriveOnce() throws IOException {
    stage.createTable();
    if (options.containsKey("benodes")) {
      options.put("benodes", stage.emulator().backends().get(0));
    }

    SharedProcess.get().run(stage.insert(Script.create(500, "id"), QUERY, options));

    assertThat(stage.rows(), contains(row(1L, "alpha"), row(2L, null), row(3L, "\u4e2d\u6587")));
    List<TransactionInfo> visible = stage.transactions(TransactionState.VISIBLE);
    assertThat(visible.stream().mapToLong(TransactionInfo::rows).sum(), is(3L));
    assertThat(
        visible.stream().map(TransactionInfo::twoPhase).collect(Collectors.toSet()),
        contains(commit == Commit.TWO_PHASE));
    assertThat(stage.transactions(TransactionState.PREPARE), is(empty()));
    assertThat(stage.transactions(TransactionState.PRECOMMITTED), is(empty()));
    if (commit == Commit.TWO_PHASE) {
      assertThat(
          visible.stream().map(TransactionInfo::label).collect(Collectors.toList()),
          equalTo(List.of("w_testdb_tbl_0_1")));
    }
  }

  private static Object[] way(String name, Map<String, String> options, Commit commit) {
    return new Object[] {name, options, commit};
  }

  private static Map<String, String> withAll(
      Map<String, String> options, Map<String, String> more) {
    Map<String, String> all = Formats.with(options, "sink.label-prefix", "w");
    all.putAll(more);
    return all;
  }
}
