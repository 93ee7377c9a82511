package dev.tidemark.upsert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.candidates.UpsertSemantics;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.flink.TidemarkFlinkOptions;
import dev.tidemark.flink.testing.EmbeddedFlink;
import dev.tidemark.flink.testing.IdSource;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Looks at which subtask of a real cluster each shard comes to. */
@RunWith(JUnit4.class)
public class BalancedShardsTest {
  private static final int SHARDS = 128;
  private static final Pattern SUBTASK = Pattern.compile("\\((\\d+)/\\d+\\)#");
  private static final Map<Integer, Set<Integer>> SHARDS_OF_SUBTASKS = new ConcurrentHashMap<>();

  private static EmbeddedFlink flink;

  @BeforeClass
  public static void startFlink() throws Exception {
    flink = EmbeddedFlink.start(5, new Configuration());
  }

  @AfterClass
  public static void stopFlink() {
    flink.close();
  }

  /** One change for each shard, with the shard as its key. */
  private static final class BatchFn extends DoFn<Long, KV<Integer, KeyedChanges>> {
    @ProcessElement
    public void process(@Element Long id, OutputReceiver<KV<Integer, KeyedChanges>> out) {
      byte[] key = id.toString().getBytes(UTF_8);
      out.output(
          KV.of(
              id.intValue(),
              KeyedChanges.builder()
                  .add(ChangeKind.INSERT, true, key, key.length, -1, 0, 0)
                  .build()));
    }
  }

  /** Chained to the state, so it runs where that is. */
  private static final class NoteFn extends DoFn<MaterializedBatch, Void> {
    @ProcessElement
    public void process(@Element MaterializedBatch batch) {
      Matcher thread = SUBTASK.matcher(Thread.currentThread().getName());
      if (!thread.find()) {
        throw new IllegalStateException("No subtask in " + Thread.currentThread().getName());
      }
      KeyedChanges changes = batch.changes();
      String shard = new String(changes.data(), changes.keyOffset(0), changes.keyLength(0), UTF_8);
      SHARDS_OF_SUBTASKS
          .computeIfAbsent(Integer.valueOf(thread.group(1)), s -> ConcurrentHashMap.newKeySet())
          .add(Integer.valueOf(shard));
    }
  }

  private static Map<Integer, Integer> run(int parallelism) throws Exception {
    SHARDS_OF_SUBTASKS.clear();
    TidemarkFlinkOptions options = flink.options(parallelism, 500);
    options.setMaxParallelism(SHARDS);
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(Read.from(IdSource.of(SHARDS, 1_000, true)))
        .apply("Batch", ParDo.of(new BatchFn()))
        .setCoder(KvCoder.of(VarIntCoder.of(), KeyedChangesCoder.of()))
        .apply(MaterializeBatches.of(UpsertSemantics.of(UpsertStrategy.ADAPTIVE), SHARDS))
        .apply("Note", ParDo.of(new NoteFn()));
    JobID job = flink.submit(pipeline);
    assertThat(flink.await(job, 120).isSuccess(), is(true));
    Set<Integer> seen = new TreeSet<>();
    SHARDS_OF_SUBTASKS.values().forEach(seen::addAll);
    assertThat("shards seen", seen.size(), is(SHARDS));
    return SHARDS_OF_SUBTASKS.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, entry -> entry.getValue().size(), (a, b) -> a, TreeMap::new));
  }

  private static void assertBalanced(int parallelism) throws Exception {
    Map<Integer, Integer> counts = run(parallelism);
    System.out.printf("balance: %d shards among %d subtasks: %s%n", SHARDS, parallelism, counts);
    assertThat(counts.size(), is(parallelism));
    assertThat(
        counts.values(), everyItem(lessThanOrEqualTo((SHARDS + parallelism - 1) / parallelism)));
    assertThat(counts.values().stream().mapToInt(Integer::intValue).sum(), is(SHARDS));
  }

  @Test
  public void twoSubtasksHaveTheirShare() throws Exception {
    assertBalanced(2);
  }

  @Test
  public void threeSubtasksHaveTheirShare() throws Exception {
    assertBalanced(3);
  }

  @Test
  public void fiveSubtasksHaveTheirShare() throws Exception {
    assertBalanced(5);
  }
}
