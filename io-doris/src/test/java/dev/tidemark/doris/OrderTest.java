package dev.tidemark.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Per key the last change wins, across parts, loads, shards, crashes and replays. */
@RunWith(JUnit4.class)
public class OrderTest {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");
  private static final int CHANGELOGS = LONG ? 1_000 : 60;
  private static final Schema VERSIONED =
      Schema.builder()
          .addInt64Field("id")
          .addInt64Field("version")
          .addNullableStringField("name")
          .build();

  @Test
  public void lastChangeOfEachKeyWins() throws Exception {
    try (Shop shop = Shop.open()) {
      for (int seed = 0; seed < CHANGELOGS; seed++) {
        Random random = new Random(seed);
        Changelog log = Changelog.of(random, 10 + random.nextInt(80), 1 + random.nextInt(15));
        DeliveryMode mode = seed % 2 == 0 ? DeliveryMode.LABELS : DeliveryMode.TWO_PHASE_COMMIT;
        shop.doris.truncate("shop", "orders");
        StageRun.of(mode, log.changes(), random, seed % 3 == 0 ? 0.02 : 0, dice -> {})
            .run(FaultRunsTest.settings(shop, "order-" + seed));
        assertThat(mode + ", seed " + seed, shop.orders(), is(log.table()));
        assertThat(mode + ", seed " + seed, shop.openTransactions(), is(List.of()));
      }
      assertThat(shop.doris.violations(), empty());
    }
  }

  /** The changes of a key come in any order; the highest version is the last one. */
  @Test
  public void highestSequenceOfEachKeyWinsInWhateverOrderItComes() throws Exception {
    DorisTable table = DorisTable.of("shop", "versioned").withKey("id");
    try (Shop shop = Shop.open()) {
      shop.doris.createTable(
          "CREATE TABLE shop.versioned (id BIGINT NOT NULL, version BIGINT, name VARCHAR(40))"
              + " UNIQUE KEY(id) PROPERTIES(\"function_column.sequence_col\" = \"version\")");
      for (int seed = 0; seed < CHANGELOGS; seed++) {
        Random random = new Random(seed);
        List<Change> changes = new ArrayList<>();
        Map<Long, String> expected = new TreeMap<>();
        int size = 10 + random.nextInt(80);
        int keys = 1 + random.nextInt(15);
        for (long version = 1; version <= size; version++) {
          long id = random.nextInt(keys);
          boolean delete = random.nextInt(4) == 0;
          String name = delete ? null : "v" + version;
          changes.add(
              Change.of(
                  delete ? ChangeKind.DELETE : ChangeKind.UPDATE_AFTER,
                  Row.withSchema(VERSIONED).addValues(id, version, name).build()));
          if (delete) {
            expected.remove(id);
          } else {
            expected.put(id, name);
          }
        }
        Collections.shuffle(changes, random);
        DeliveryMode mode = seed % 2 == 0 ? DeliveryMode.LABELS : DeliveryMode.TWO_PHASE_COMMIT;
        shop.doris.truncate("shop", "versioned");
        WriteSettings settings = FaultRunsTest.settings(shop, "sequence-" + seed);
        StageRun.of(mode, changes, random, seed % 3 == 0 ? 0.02 : 0, dice -> {})
            .to(table, VERSIONED)
            .run(
                new WriteSettings(
                    settings.cluster(),
                    settings.rules().toBuilder().sequenceColumn("version").build(),
                    settings.limits(),
                    settings.shards(),
                    settings.labelPrefix(),
                    settings.headers(),
                    false,
                    settings.clock()));
        Map<Long, String> found = new TreeMap<>();
        shop.doris
            .rows("shop", "versioned")
            .forEach(row -> found.put((Long) row.get("id"), (String) row.get("name")));
        assertThat(mode + ", seed " + seed, found, is(expected));
      }
      assertThat(shop.doris.violations(), empty());
    }
  }
}
