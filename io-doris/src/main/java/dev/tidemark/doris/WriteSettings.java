package dev.tidemark.doris;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.streamload.Labels;
import dev.tidemark.streamload.LoadListener;
import dev.tidemark.streamload.LoadProtocol;
import dev.tidemark.streamload.LoadRequest;
import dev.tidemark.streamload.Sleeper;
import dev.tidemark.streamload.StreamLoadClient;
import dev.tidemark.streamload.TwoPhaseProtocol;
import java.io.Serializable;
import java.time.Clock;
import java.util.List;

/** What the stages of a write have in common. */
record WriteSettings(
    ClusterSettings cluster,
    LoadRules rules,
    LoadLimits limits,
    Shards shards,
    String labelPrefix,
    ImmutableMap<String, String> headers,
    boolean outputRejectedRows,
    Clock clock)
    implements Serializable {

  Labels labels() {
    return Labels.of(labelPrefix);
  }

  LoadProtocol loadProtocol(StreamLoadClient client, LoadListener listener) {
    return LoadProtocol.of(client, cluster.retryPolicy(), listener, clock, Sleeper.threads());
  }

  TwoPhaseProtocol twoPhaseProtocol(StreamLoadClient client, LoadListener listener) {
    return TwoPhaseProtocol.of(
        client, labels(), cluster.retryPolicy(), listener, clock, Sleeper.threads());
  }

  /** A load whose label names its place and its content. */
  LoadRequest contentRequest(ShardKey shard, LoadBody body, long sequence) {
    ImmutableMap<String, String> all = allHeaders();
    String digest = Labels.digest(body.columns(), all, body.streams());
    return request(
            shard,
            body,
            labels()
                .forContent(
                    shard.table().database(),
                    shard.table().table(),
                    body.epoch(),
                    shard.shard(),
                    sequence,
                    digest))
        .withHeaders(all);
  }

  /** A load whose label names its place alone. */
  LoadRequest sequenceRequest(ShardKey shard, LoadBody body, long sequence) {
    return request(
            shard,
            body,
            labels()
                .forSequence(
                    shard.table().database(),
                    shard.table().table(),
                    body.epoch(),
                    shard.shard(),
                    sequence))
        .withHeaders(allHeaders());
  }

  private static LoadRequest request(ShardKey shard, LoadBody body, String label) {
    List<byte[]> streams = body.streams();
    return LoadRequest.of(
        shard.table().database(), shard.table().table(), label, body.columns(), streams);
  }

  private ImmutableMap<String, String> allHeaders() {
    ImmutableMap.Builder<String, String> all = ImmutableMap.builder();
    all.putAll(headers);
    if (rules.partialUpdate()) {
      all.put("partial_columns", "true");
    }
    String sequence = rules.sequenceColumn();
    if (sequence != null) {
      all.put("function_column.sequence_col", sequence);
    }
    return all.buildOrThrow();
  }
}
