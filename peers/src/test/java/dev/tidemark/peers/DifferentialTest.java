package dev.tidemark.peers;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;

import com.google.common.collect.ImmutableList;
import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.candidates.CandidateStoreProvider;
import dev.tidemark.candidates.testing.InMemoryCandidateStore;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.Test;

/**
 * Random changelogs through the released operators and through Tidemark's, over its store in memory
 * and over the one on RocksDB: the same rows at the same changes, but for FLINK-39740.
 */
public final class DifferentialTest {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");
  private static final int SCENARIOS = LONG ? 400 : 24;
  private static final int CHANGELOGS = LONG ? 25 : 17;
  private static final long SEED = Long.getLong("tidemark.seed", 1);

  @Test
  public void changesAreThoseOfTheReleasedOperators() throws Exception {
    ImmutableList<Supplier<CandidateStore>> stores = stores();
    Coverage coverage = new Coverage();
    int changes = 0;
    int different = 0;
    int failed = 0;

    for (long seed = SEED; seed < SEED + SCENARIOS; seed++) {
      Scenario scenario = Scenario.random(seed, CHANGELOGS);
      Comparison comparison = Comparison.of(scenario, stores, coverage);
      if (!comparison.unexplained().isEmpty()) {
        throw new AssertionError(report(scenario, comparison, stores));
      }
      changes += scenario.events().size();
      different += comparison.different().size();
      failed += comparison.failed().size();
    }

    System.out.printf(
        "Flink %s: %d changelogs, %d changes, %d stores; %d changelogs differ by FLINK-39740 (%d with"
            + " an exception), 0 otherwise; %s%n",
        EnvironmentInformation.getVersion(),
        SCENARIOS * CHANGELOGS,
        changes,
        stores.size(),
        different,
        failed,
        coverage);
    assertThat(coverage.toString(), coverage.least(), greaterThan(10L));
    assertThat(
        "changelogs that meet the defect", different, greaterThan(SCENARIOS * CHANGELOGS / 100));
  }

  private static ImmutableList<Supplier<CandidateStore>> stores() {
    ImmutableList.Builder<Supplier<CandidateStore>> stores = ImmutableList.builder();
    stores.add(InMemoryCandidateStore::create);
    CandidateStoreOptions options =
        CandidateStoreOptions.defaults().withMemoryBytes(CandidateStoreOptions.MIN_MEMORY_BYTES);
    for (CandidateStoreProvider provider : ServiceLoader.load(CandidateStoreProvider.class)) {
      stores.add(() -> provider.open(options));
    }
    return stores.build();
  }

  private static String report(
      Scenario scenario, Comparison comparison, ImmutableList<Supplier<CandidateStore>> stores)
      throws Exception {
    int changelog = comparison.unexplained().firstKey();
    Scenario shrunk =
        Shrinking.shrink(
            scenario,
            changelog,
            smaller -> !Comparison.of(smaller, stores, new Coverage()).unexplained().isEmpty());
    Map<Integer, String> left = Comparison.of(shrunk, stores, new Coverage()).unexplained();
    return String.format(
        "Seed %d, %s%nunexplained %s%nshrunk to %s:%n%s",
        scenario.seed(),
        scenario.setting(),
        comparison.unexplained(),
        left,
        shrunk.events().stream().map(Object::toString).collect(Collectors.joining("\n")));
  }
}
