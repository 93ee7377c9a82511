package dev.tidemark.doris;

import com.google.common.collect.ImmutableList;
import dev.tidemark.streamload.PreCommitted;
import dev.tidemark.streamload.RejectedException;
import dev.tidemark.streamload.TwoPhaseProtocol;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Pre-commits loads, without the rows that the server refuses if these are asked for. */
final class PreCommitter {
  /** What came of a load; null if all of its rows were refused. */
  record Result(@Nullable PreCommittedLoad load, ImmutableList<BadRecord> refused) {}

  private final WriteSettings settings;
  private final TwoPhaseProtocol protocol;
  private final RefusedRows refusedRows;

  PreCommitter(WriteSettings settings, TwoPhaseProtocol protocol, BufferAllocator allocator) {
    this.settings = settings;
    this.protocol = protocol;
    this.refusedRows = new RefusedRows(allocator);
  }

  Result preCommit(ShardKey shard, LoadBody body, long sequence) {
    try {
      return new Result(send(shard, body, sequence), ImmutableList.of());
    } catch (RejectedException e) {
      if (!settings.outputRejectedRows()) {
        throw e;
      }
      return withoutRefused(shard, body, sequence, e);
    }
  }

  private PreCommittedLoad send(ShardKey shard, LoadBody body, long sequence) {
    PreCommitted transaction = protocol.preCommit(settings.sequenceRequest(shard, body, sequence));
    return PreCommittedLoad.of(transaction, body.deletes());
  }

  /** Trials are aborted; what is left goes in one transaction under the load's own label. */
  private Result withoutRefused(
      ShardKey shard, LoadBody body, long sequence, RejectedException rejection) {
    List<LoadBody> good = new ArrayList<>();
    List<BadRecord> bad = new ArrayList<>();
    refusedRows.search(
        shard.table(),
        body,
        rejection,
        half -> protocol.abort(send(shard, half, sequence).transaction()),
        good,
        bad);
    PreCommittedLoad load = good.isEmpty() ? null : send(shard, BodyRows.joined(good), sequence);
    return new Result(load, ImmutableList.copyOf(bad));
  }
}
