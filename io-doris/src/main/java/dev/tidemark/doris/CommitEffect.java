package dev.tidemark.doris;

import dev.tidemark.once.Batch;
import dev.tidemark.once.Effect;
import dev.tidemark.once.Numbered;
import dev.tidemark.once.Outcome;
import dev.tidemark.streamload.LoadException;
import dev.tidemark.streamload.PreCommitted;
import dev.tidemark.streamload.StreamLoadClient;
import dev.tidemark.streamload.TwoPhaseProtocol;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Commits the transactions that a completed checkpoint holds, in the order of each shard. */
final class CommitEffect implements Effect<ShardKey, PreCommittedLoad, LoadEvent> {
  private static final long serialVersionUID = 1;

  private final WriteSettings settings;

  private transient @Nullable StreamLoadClient client;
  private transient @Nullable AttemptListener attempts;
  private transient @Nullable TwoPhaseProtocol protocol;
  private transient @Nullable EffectDelays delays;

  CommitEffect(WriteSettings settings) {
    this.settings = settings;
  }

  @Override
  public void setup(PipelineOptions options) {
    client = settings.cluster().open();
    attempts = new AttemptListener();
    protocol = settings.twoPhaseProtocol(client, attempts);
    delays = new EffectDelays();
  }

  @Override
  public Outcome<LoadEvent> perform(ShardKey shard, Batch<PreCommittedLoad> batch) {
    List<LoadEvent> events = new ArrayList<>();
    for (Numbered<PreCommittedLoad> numbered : batch.elements()) {
      try {
        events.add(commit(numbered.element()));
      } catch (LoadException e) {
        // What was committed is found done at the next try, and reported then.
        return delays.failed(shard, e);
      }
    }
    delays.succeeded(shard);
    return Outcome.done(events);
  }

  private LoadEvent commit(PreCommittedLoad load) {
    PreCommitted transaction = load.transaction();
    long beganMillis = settings.clock().millis();
    protocol.commit(transaction);
    return LoadEvent.of(
        DorisLoad.builder()
            .database(transaction.database())
            .table(transaction.table())
            .label(transaction.label())
            .transactionId(transaction.transactionId())
            .rows(transaction.rows())
            .deletes(load.deletes())
            .bytes(transaction.bytes())
            .durationMillis(settings.clock().millis() - beganMillis)
            .replayed(false)
            .build(),
        attempts.take());
  }

  @Override
  public void teardown() {
    if (client != null) {
      client.close();
      client = null;
    }
  }
}
