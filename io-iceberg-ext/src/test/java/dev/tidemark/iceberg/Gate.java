package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.order;

import dev.tidemark.commit.CommitContext;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/**
 * Holds up a stream until the next commit is made and its outcome can be picked up. Commits run
 * beside the pipeline, which a test stream does not wait for.
 */
final class Gate extends PTransform<PCollection<Row>, PCollection<Row>> {
  private static final Map<String, BlockingQueue<Thread>> COMMITS = new ConcurrentHashMap<>();
  private static final long GATE_ID = -1;

  private final String id = UUID.randomUUID().toString();

  Gate() {
    COMMITS.put(id, new LinkedBlockingQueue<>());
  }

  /** A row at which the stream waits for one more commit; it goes no further. */
  static Row row() {
    return order(GATE_ID, null, null);
  }

  /** Tells the gate of commits. */
  SerializableCommitHook hook() {
    return new Opener(id);
  }

  @Override
  public PCollection<Row> expand(PCollection<Row> rows) {
    return rows.apply(ParDo.of(new WaitFn(id))).setRowSchema(Warehouse.ORDER);
  }

  private record Opener(String id) implements SerializableCommitHook {
    @Override
    public void beforeCommit(CommitContext context) {}

    @Override
    public void afterCommit(CommitContext context) {
      COMMITS.get(id).add(Thread.currentThread());
    }
  }

  private static final class WaitFn extends DoFn<Row, Row> {
    private final String id;

    WaitFn(String id) {
      this.id = id;
    }

    @ProcessElement
    public void process(@Element Row row, OutputReceiver<Row> out) throws InterruptedException {
      if (row.getInt64("id") != GATE_ID) {
        out.output(row);
        return;
      }
      Thread committing = COMMITS.get(id).poll(2, TimeUnit.MINUTES);
      if (committing == null) {
        throw new IllegalStateException("No commit within two minutes");
      }
      // The hook ran there; the outcome is complete once the thread waits for its next task.
      while (committing.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
  }
}
