package dev.tidemark.peers.doris;

import static dev.tidemark.peers.doris.Stage.row;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import dev.tidemark.doris.emulator.TransactionInfo;
import dev.tidemark.doris.emulator.TransactionState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** How the released connector cuts rows into Arrow streams, and what it cannot send. */
@RunWith(JUnit4.class)
public final class ReleasedArrowTest {
  private static final int ROWS = 2_500;

  /** Long enough that the end of the input comes first. */
  private static final long NO_CHECKPOINT_BEFORE_THE_END = 600_000;

  @Rule public final Timeout timeout = Timeout.seconds(120);
  @Rule public final Stage stage = new Stage();

  @Test
  public void streamModeSendsStreamsOfAThousandRows() throws IOException {
    writeRows(Formats.twoPhase(Formats.arrow(), "many"));

    assertThat(ArrowValues.read(onlyBody()).rowsOfStreams(), equalTo(List.of(1_000, 1_000, 500)));
    assertThat(stage.rows(), equalTo(expectedRows()));
  }

  @Test
  public void batchModeSendsAllRowsAndTheLength() throws IOException {
    writeRows(
        Formats.with(
            Formats.arrow(), "sink.enable.batch-mode", "true", "sink.enable-2pc", "false"));

    assertThat(
        ArrowValues.read(onlyBody()).rowsOfStreams().stream().mapToInt(rows -> rows).sum(),
        is(ROWS));
    assertThat(stage.rows(), equalTo(expectedRows()));
    assertThat(
        stage.emulator().requests().stream()
            .filter(request -> request.server().startsWith("be") && request.bodyBytes() > 0)
            .map(request -> request.headers().get("content-length"))
            .collect(Collectors.toList()),
        equalTo(List.of(Integer.toString(onlyBody().length))));
  }

  @Test
  public void mapsAreRefused() throws IOException {
    stage.createTable("id BIGINT NOT NULL, m MAP<STRING, INT> NULL");

    String failure =
        SharedProcess.get()
            .fail(
                stage.insert(
                    Script.create(500, "id"),
                    Stage.TABLE,
                    "id BIGINT, m MAP<STRING, INT>",
                    "VALUES (1, MAP['k', 1])",
                    Formats.twoPhase(Formats.arrow(), "map")));

    assertThat(failure, containsString("Map key type should be non-nullable"));
    assertThat(stage.transactions(TransactionState.VISIBLE), is(empty()));
  }

  private void writeRows(Map<String, String> options) throws IOException {
    stage.createTable();
    Script script =
        Script.create(NO_CHECKPOINT_BEFORE_THE_END, "id")
            .sql(
                "CREATE TABLE numbers (id BIGINT) WITH ('connector' = 'datagen',"
                    + " 'number-of-rows' = '"
                    + ROWS
                    + "', 'fields.id.kind' = 'sequence', 'fields.id.start' = '1',"
                    + " 'fields.id.end' = '"
                    + ROWS
                    + "')");
    SharedProcess.get()
        .run(
            stage.insert(
                script, "SELECT id, CONCAT('n', CAST(id AS STRING)) FROM numbers", options));
  }

  private static List<List<Object>> expectedRows() {
    return LongStream.rangeClosed(1, ROWS)
        .mapToObj(id -> row(id, "n" + id))
        .collect(Collectors.toList());
  }

  private byte[] onlyBody() {
    List<TransactionInfo> visible = stage.transactions(TransactionState.VISIBLE);
    assertThat(visible, hasSize(1));
    return stage.emulator().body(visible.get(0).txnId());
  }
}
