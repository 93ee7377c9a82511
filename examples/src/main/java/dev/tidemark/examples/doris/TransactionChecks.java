package dev.tidemark.examples.doris;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.streamload.DorisCluster;
import dev.tidemark.streamload.LabelState;
import dev.tidemark.streamload.Labels;
import dev.tidemark.streamload.LoadException;
import dev.tidemark.streamload.LoadListener;
import dev.tidemark.streamload.LoadProtocol;
import dev.tidemark.streamload.LoadRequest;
import dev.tidemark.streamload.LostTransactionException;
import dev.tidemark.streamload.PreCommitted;
import dev.tidemark.streamload.RetryPolicy;
import dev.tidemark.streamload.RewoundException;
import dev.tidemark.streamload.Sleeper;
import dev.tidemark.streamload.StreamLoadClient;
import dev.tidemark.streamload.TwoPhaseProtocol;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;

/** Whether labels and transactions behave as the protocols rely on. */
final class TransactionChecks {
  /** Takes what came of a check. */
  @FunctionalInterface
  interface Report {
    void report(String what, boolean holds, String found);
  }

  private final DorisCluster cluster;
  private final String database;
  private final Report report;

  TransactionChecks(String frontend, String user, String password, String database, Report report) {
    this.cluster = DorisCluster.of(List.of(frontend), user, password);
    this.database = database;
    this.report = report;
  }

  void run(DorisStatements statements) throws IOException {
    statements.run(
        database,
        "CREATE TABLE "
            + database
            + ".phases (id BIGINT NOT NULL) UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1"
            + " PROPERTIES(\"replication_num\" = \"1\")");
    Labels labels = Labels.of("check");
    try (StreamLoadClient client = StreamLoadClient.open(cluster)) {
      TwoPhaseProtocol phases =
          TwoPhaseProtocol.of(
              client,
              labels,
              RetryPolicy.defaults(),
              LoadListener.none(),
              Clock.systemUTC(),
              Sleeper.threads());
      String first = labels.forSequence(database, "phases", 1, 0, 1);
      PreCommitted waiting = phases.preCommit(request(first, 1));
      state(client, "a pre-committed label is PRECOMMITTED", first, LabelState.PRECOMMITTED);
      report("its rows are not visible", statements, 0);
      phases.commit(waiting);
      phases.commit(waiting);
      state(client, "a label committed twice is VISIBLE", first, LabelState.VISIBLE);
      report("its rows are visible", statements, 1);
      refused("a committed label is refused", () -> phases.preCommit(request(first, 2)));
      String second = labels.forSequence(database, "phases", 1, 0, 2);
      PreCommitted left = phases.preCommit(request(second, 2));
      report.report(
          "what is left open is found and aborted",
          phases.abortLeftOvers(database, "phases", 1, 0, 2) == 1,
          "another number");
      refused("an aborted transaction is not committed", () -> phases.commit(left));
      phases.commit(phases.preCommit(request(second, 3)));
      report("an aborted label is used again", statements, 2);
      contents(client, labels);
    }
  }

  /** The same load twice is done once. */
  private void contents(StreamLoadClient client, Labels labels) throws IOException {
    LoadProtocol loads =
        LoadProtocol.of(
            client,
            RetryPolicy.defaults(),
            LoadListener.none(),
            Clock.systemUTC(),
            Sleeper.threads());
    List<byte[]> body = List.of(body(9));
    String label =
        labels.forContent(
            database, "phases", 1, 0, 1, Labels.digest(List.of("id"), Map.of(), body));
    LoadRequest request = LoadRequest.of(database, "phases", label, List.of("id"), body);
    boolean before = loads.load(request).foundDone();
    boolean again = loads.load(request).foundDone();
    report.report("a load sent twice is found done", !before && again, before + ", then " + again);
  }

  private void state(StreamLoadClient client, String what, String label, LabelState wanted) {
    LabelState found = client.labelState(database, label);
    report.report(what, found == wanted, found.name());
  }

  private void report(String what, DorisStatements statements, int rows) throws IOException {
    int found = statements.run(database, "SELECT * FROM " + database + ".phases").size();
    report.report(what, found == rows, found + " rows");
  }

  /** An action that must fail in one of the two ways that cannot be mended by repetition. */
  private void refused(String what, Attempt attempt) throws IOException {
    try {
      attempt.run();
      report.report(what, false, "no refusal");
    } catch (RewoundException | LostTransactionException e) {
      report.report(what, true, e.getMessage());
    } catch (LoadException e) {
      report.report(what, false, e.getMessage());
    }
  }

  /** What is tried. */
  @FunctionalInterface
  private interface Attempt {
    void run() throws IOException;
  }

  private LoadRequest request(String label, long id) throws IOException {
    return LoadRequest.of(database, "phases", label, List.of("id"), List.of(body(id)));
  }

  private static byte[] body(long id) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (BufferAllocator allocator = ArrowAllocators.child("DorisLiveCheck");
        BigIntVector ids = new BigIntVector("id", allocator)) {
      ids.allocateNew(1);
      ids.set(0, id);
      ids.setValueCount(1);
      VectorSchemaRoot root = VectorSchemaRoot.of(ids);
      try (ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
        writer.writeBatch();
        writer.end();
      }
    }
    return bytes.toByteArray();
  }
}
