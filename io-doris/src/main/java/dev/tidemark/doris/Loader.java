package dev.tidemark.doris;

import dev.tidemark.streamload.LoadProtocol;
import dev.tidemark.streamload.LoadRequest;
import dev.tidemark.streamload.LoadResult;
import dev.tidemark.streamload.RejectedException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;

/**
 * Loads under labels of content, without the rows that the server refuses if these are asked for.
 */
final class Loader {
  private final WriteSettings settings;
  private final LoadProtocol protocol;
  private final AttemptListener attempts;
  private final RefusedRows refusedRows;

  Loader(
      WriteSettings settings,
      LoadProtocol protocol,
      AttemptListener attempts,
      BufferAllocator allocator) {
    this.settings = settings;
    this.protocol = protocol;
    this.attempts = attempts;
    this.refusedRows = new RefusedRows(allocator);
  }

  /** Loads a body and reports what came of it. The same body has the same labels each time. */
  List<LoadEvent> load(ShardKey shard, LoadBody body, long sequence) {
    List<LoadEvent> events = new ArrayList<>();
    try {
      send(shard, body, sequence, events);
    } catch (RejectedException e) {
      if (!settings.outputRejectedRows()) {
        throw e;
      }
      List<BadRecord> refused = new ArrayList<>();
      refusedRows.search(
          shard.table(),
          body,
          e,
          half -> send(shard, half, sequence, events),
          new ArrayList<>(),
          refused);
      refused.forEach(row -> events.add(LoadEvent.of(row, attempts.take())));
    }
    return events;
  }

  private void send(ShardKey shard, LoadBody body, long sequence, List<LoadEvent> events) {
    LoadRequest request = settings.contentRequest(shard, body, sequence);
    LoadResult result = protocol.load(request);
    DorisLoad load =
        DorisLoad.builder()
            .database(shard.table().database())
            .table(shard.table().table())
            .label(result.label())
            .transactionId(result.transactionId())
            .rows(body.rows())
            .deletes(body.deletes())
            .bytes(body.bytes())
            .durationMillis(result.durationMillis())
            .replayed(result.foundDone())
            .build();
    events.add(LoadEvent.of(load, attempts.take()));
  }
}
