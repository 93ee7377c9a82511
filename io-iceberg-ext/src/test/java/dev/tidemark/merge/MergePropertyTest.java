package dev.tidemark.merge;

import static dev.tidemark.merge.MergeFixture.BASE;
import static dev.tidemark.merge.MergeFixture.CHANGES;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.commit.CatalogKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class MergePropertyTest {
  private static final int SEEDS = Boolean.getBoolean("tidemark.long") ? 200 : 24;
  private static final int RUNS = 5;
  private static final List<MergeProbe.Step> BEFORE_THE_COMMIT =
      List.copyOf(EnumSet.range(MergeProbe.Step.TAGS_PLACED, MergeProbe.Step.COMMITTING));

  @Rule public final MergeFixture hadoop = new MergeFixture(CatalogKind.HADOOP);
  @Rule public final MergeFixture jdbc = new MergeFixture(CatalogKind.JDBC);
  @Rule public final MergeFixture rest = new MergeFixture(CatalogKind.REST);

  @Test
  public void baseEqualsTheFoldWhateverLandsBetweenPlanAndCommit() {
    for (int seed = 0; seed < SEEDS; seed++) {
      MergeFixture tables = seed % 3 == 0 ? hadoop : seed % 3 == 1 ? jdbc : rest;
      interleave(tables, seed);
      tables.catalog().dropTable(BASE, true);
      tables.catalog().dropTable(CHANGES, true);
    }
  }

  private static void interleave(MergeFixture tables, int seed) {
    Random random = new Random(seed);
    tables.createTables(seed % 2 == 0 ? 2 : 3);
    MergeRace race = new MergeRace(tables, random);
    for (int run = 0; run < RUNS; run++) {
      race.change();
      MergeProbe.Step when = BEFORE_THE_COMMIT.get(random.nextInt(BEFORE_THE_COMMIT.size()));
      boolean[] done = {false};
      tables.merge(
          race.merges(),
          step -> {
            if (step == when && !done[0]) {
              done[0] = true;
              race.interfere();
            }
          });
      assertThat("seed " + seed + ", run " + run, race.faults(), empty());
    }
    tables.merge(race.merges());
    assertThat("seed " + seed, race.faults(), empty());
    assertThat("seed " + seed, race.isUpToDate(), is(true));
    neverMovesBack(tables, seed);
  }

  private static void neverMovesBack(MergeFixture tables, int seed) {
    TableMetadata metadata = tables.metadata(BASE);
    long last = Long.MIN_VALUE;
    for (TableMetadata.MetadataLogEntry entry : metadata.previousFiles()) {
      String until =
          TableMetadataParser.read(tables.base().io(), entry.file())
              .properties()
              .get("tidemark.finalized-until-ms");
      if (until != null) {
        assertThat("seed " + seed, Long.parseLong(until) >= last, is(true));
        last = Long.parseLong(until);
      }
    }
  }
}
