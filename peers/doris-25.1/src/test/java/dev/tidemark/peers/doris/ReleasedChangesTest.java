package dev.tidemark.peers.doris;

import static dev.tidemark.peers.doris.Stage.row;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.doris.emulator.TransactionState;
import java.io.IOException;
import java.util.Map;
import org.apache.flink.types.RowKind;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Changelogs through the released connector: what it deletes, and what it cannot. */
@RunWith(JUnit4.class)
public final class ReleasedChangesTest {
  private static final String QUERY = "SELECT id, name FROM changes";

  @Rule public final Stage stage = new Stage();

  @Test
  public void jsonDeletes() throws IOException {
    writeChanges(Formats.twoPhase(Formats.json(), "d"));

    assertThat(stage.rows(), contains(row(1L, "a2"), row(3L, "c")));
  }

  @Test
  public void csvDeletes() throws IOException {
    writeChanges(Formats.twoPhase(Formats.csv(), "d"));

    assertThat(stage.rows(), contains(row(1L, "a2"), row(3L, "c")));
  }

  @Test
  public void jsonDeletesInBatches() throws IOException {
    writeChanges(
        Formats.with(Formats.json(), "sink.enable.batch-mode", "true", "sink.enable-2pc", "false"));

    assertThat(stage.rows(), contains(row(1L, "a2"), row(3L, "c")));
  }

  /** An UPDATE_BEFORE goes out as a delete; the row that follows brings the key back. */
  @Test
  public void jsonDeletesRowsBeforeUpdates() throws IOException {
    writeChanges(
        Formats.with(Formats.twoPhase(Formats.json(), "u"), "sink.ignore.update-before", "false"));

    assertThat(stage.rows(), contains(row(1L, "a2"), row(3L, "c")));
  }

  @Test
  public void arrowRefusesDeletes() throws IOException {
    stage.createTable();

    String failure =
        SharedProcess.get()
            .fail(
                script(
                    Formats.with(
                        Formats.twoPhase(Formats.arrow(), "r"), "sink.enable-delete", "true")));

    assertThat(failure, containsString("IllegalArgumentException"));
    assertThat(stage.rows(), is(empty()));
    assertThat(stage.transactions(TransactionState.VISIBLE), is(empty()));
  }

  /** What DorisIO has to do better: without deletes, the connector writes them as rows. */
  @Test
  public void arrowWithoutDeletesKeepsDeletedRows() throws IOException {
    writeChanges(Formats.twoPhase(Formats.arrow(), "x"));

    assertThat(stage.rows(), contains(row(1L, "a2"), row(2L, "b"), row(3L, "c")));
  }

  private void writeChanges(Map<String, String> options) throws IOException {
    stage.createTable();
    SharedProcess.get().run(script(options));
  }

  private Script script(Map<String, String> options) {
    Script script =
        Script.create(500, "id", "name")
            .change(RowKind.INSERT, "1", "a")
            .change(RowKind.INSERT, "2", "b")
            .change(RowKind.UPDATE_BEFORE, "1", "a")
            .change(RowKind.UPDATE_AFTER, "1", "a2")
            .change(RowKind.DELETE, "2", "b")
            .change(RowKind.INSERT, "3", "c");
    return stage.insert(script, QUERY, options);
  }
}
