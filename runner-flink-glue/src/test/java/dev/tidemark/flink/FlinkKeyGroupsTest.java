package dev.tidemark.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import com.google.common.hash.Hashing;
import dev.tidemark.runner.BalancedKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.apache.beam.runners.flink.adapter.FlinkKey;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class FlinkKeyGroupsTest {
  private static final int SHARDS = 1_024;

  private static byte[] encode(int key) {
    try {
      return CoderUtils.encodeToByteArray(VarIntCoder.of(), key);
    } catch (CoderException e) {
      throw new AssertionError(e);
    }
  }

  private static BalancedKeys balanced(int maxParallelism) {
    return BalancedKeys.distinct(
        new FlinkKeyGroups(maxParallelism), SHARDS, (shard, number) -> encode(number));
  }

  /** The most shards of a subtask, by Beam's key and Flink's own assignment. */
  private static int most(IntUnaryOperator keyOf, int maxParallelism, int parallelism) {
    int[] counts = new int[parallelism];
    for (int shard = 0; shard < SHARDS; shard++) {
      FlinkKey key = FlinkKey.of(keyOf.applyAsInt(shard), VarIntCoder.of());
      counts[
          KeyGroupRangeAssignment.assignKeyToParallelOperator(key, maxParallelism, parallelism)]++;
    }
    return Arrays.stream(counts).max().orElseThrow();
  }

  @Test
  public void groupIsTheOneThatBeamAndFlinkComeTo() {
    for (int maxParallelism : new int[] {1, 7, 128, 1_024, 32_768}) {
      FlinkKeyGroups groups = new FlinkKeyGroups(maxParallelism);
      for (int key = 0; key < 2_000; key++) {
        assertThat(
            groups.groupOf(encode(key)),
            is(
                KeyGroupRangeAssignment.assignToKeyGroup(
                    FlinkKey.of(key, VarIntCoder.of()), maxParallelism)));
      }
    }
  }

  @Test
  public void noSubtaskHasMoreThanItsShare() {
    for (int maxParallelism : new int[] {1_024, 2_048}) {
      BalancedKeys keys = balanced(maxParallelism);
      for (int parallelism = 1; parallelism <= 128; parallelism++) {
        assertThat(
            parallelism + " of " + maxParallelism,
            most(keys::number, maxParallelism, parallelism),
            lessThanOrEqualTo((SHARDS + parallelism - 1) / parallelism));
      }
    }
  }

  /** State depends on them: a release that chooses others finds no state again. */
  @Test
  public void keysStayAsTheyAre() {
    BalancedKeys keys = balanced(1_024);
    StringBuilder all = new StringBuilder();
    for (int shard = 0; shard < SHARDS; shard++) {
      all.append(keys.number(shard)).append('\n');
    }
    String digest = Hashing.sha256().hashUnencodedChars(all).toString().substring(0, 16);
    assertThat(
        keys.number(0) + " " + keys.number(1) + " " + keys.number(1_023) + " " + digest,
        is("286 9012 258 ffa4d78ecc722d78"));
  }

  /** The table in the documentation is what this computes. */
  @Test
  public void tableOfTheMostShardsOfASubtaskIsAsDocumented() throws Exception {
    BalancedKeys of1024 = balanced(1_024);
    BalancedKeys of128 = balanced(128);
    StringBuilder table = new StringBuilder();
    for (int parallelism = 2; parallelism <= 32; parallelism++) {
      table.append(
          String.format(
              "| %d | %d | %d | %d | %d |%n",
              parallelism,
              (SHARDS + parallelism - 1) / parallelism,
              most(of1024::number, 1_024, parallelism),
              most(of128::number, 128, parallelism),
              most(shard -> shard, 1_024, parallelism)));
    }
    System.out.print(table);
    assertThat(
        Files.readString(Path.of("..", "docs", "reference-shard-balance.md")),
        containsString(table.toString()));
  }
}
