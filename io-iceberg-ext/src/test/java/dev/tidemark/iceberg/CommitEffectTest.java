package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDER;
import static dev.tidemark.iceberg.Warehouse.order;
import static dev.tidemark.iceberg.Warehouse.paths;
import static dev.tidemark.iceberg.Warehouse.result;
import static dev.tidemark.once.OnceTestUtils.batch;
import static dev.tidemark.once.OnceTestUtils.reports;
import static dev.tidemark.once.OnceTestUtils.retryAfter;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.Iterables;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.CommitContext;
import dev.tidemark.commit.CommitException;
import dev.tidemark.commit.RewindPolicy;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.once.Heartbeat;
import dev.tidemark.once.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The commit of a checkpoint, table by table, where tables and catalogs fail. */
@RunWith(JUnit4.class)
public class CommitEffectTest {
  private static final Duration PARKED_RETRY = Duration.standardMinutes(7);

  private final CatalogConfig catalog = FaultyCatalog.config();

  @Test
  public void droppedTableIsParkedAndTheOthersGoOn() {
    Map<String, BundleResult> results = tables(200);
    CommitEffect effect = effect();
    String dropped = "db.t117";
    catalog.catalog().dropTable(TableIdentifier.parse(dropped), false);

    int done = 0;
    for (Map.Entry<String, BundleResult> entry : results.entrySet()) {
      Outcome<TableEvent> outcome =
          effect.perform(entry.getKey(), batch(1, List.of(entry.getValue())));
      if (entry.getKey().equals(dropped)) {
        assertParked(outcome, entry.getValue(), "does not exist");
      } else {
        assertThat(retryAfter(outcome), is(nullValue()));
        assertThat(Iterables.getOnlyElement(reports(outcome)).commit().rows(), is(1L));
        done++;
      }
    }

    assertThat(done, is(199));
  }

  @Test
  public void parkedTableIsReportedOnceAndTakesItsResultsWhenItCan() {
    Table table = create("db.t");
    BundleResult first = result(table, order(1, null, "eu"));
    BundleResult second = result(table, order(2, null, "eu"));
    CommitEffect effect = effect();
    FaultyCatalog.forbid("db.t");

    assertParked(effect.perform("db.t", batch(1, List.of(first))), first, "revoked");
    Outcome<TableEvent> again = effect.perform("db.t", batch(1, List.of(first)));
    assertThat(retryAfter(again), is(PARKED_RETRY));
    assertThat(reports(again), is(empty()));
    assertParked(effect.perform("db.t", batch(1, List.of(first, second))), second, "revoked");

    FaultyCatalog.mend();
    Outcome<TableEvent> mended = effect.perform("db.t", batch(1, List.of(first, second)));

    assertThat(retryAfter(mended), is(nullValue()));
    assertThat(reports(mended).get(0).commit().rows(), is(2L));
  }

  @Test
  public void parkedTableLeavesItsFilesOverAtTheEnd() {
    Table table = create("db.t");
    BundleResult result = result(table, order(1, null, "eu"));
    CommitEffect effect = effect();
    FaultyCatalog.forbid("db.t");
    effect.perform("db.t", batch(1, List.of(result)));

    TableEvent event = Iterables.getOnlyElement(effect.abandon("db.t", batch(1, List.of(result))));

    assertThat(json(event), containsString(paths(result).get(0)));
    assertThat(event.failure().getFailure().getDescription(), containsString("input ended"));
    assertThat(event.tallies().isNone(), is(true));
  }

  @Test
  public void inputDoesNotEndWhileATableMerelyDoesNotAnswer() {
    Table table = create("db.t");
    BundleResult result = result(table, order(1, null, "eu"));
    CommitEffect effect = effect();
    FaultyCatalog.cutOff(Set.of("db.t"));
    effect.perform("db.t", batch(1, List.of(result)));

    IllegalStateException e =
        assertThrows(
            IllegalStateException.class, () -> effect.abandon("db.t", batch(1, List.of(result))));

    assertThat(e.getMessage(), containsString("mend it, and restart"));
  }

  @Test
  public void catalogThatDoesNotAnswerIsAskedAgainLessAndLessOften() {
    Table table = create("db.t");
    BundleResult result = result(table, order(1, null, "eu"));
    CommitEffect effect = effect();
    FaultyCatalog.cutOff(Set.of("db.t"));

    Duration longest = Duration.ZERO;
    for (int i = 0; i < 6; i++) {
      Outcome<TableEvent> outcome = effect.perform("db.t", batch(1, List.of(result)));
      assertThat(reports(outcome), is(empty()));
      assertThat(retryAfter(outcome), is(greaterThan(longest)));
      longest = retryAfter(outcome);
    }
    for (int i = 0; i < 100; i++) {
      longest = retryAfter(effect.perform("db.t", batch(1, List.of(result))));
    }
    assertThat(longest, is(Duration.standardMinutes(1)));

    FaultyCatalog.mend();
    assertThat(retryAfter(effect.perform("db.t", batch(1, List.of(result)))), is(nullValue()));
  }

  @Test
  public void repeatedResultsAreReportedAsReplayed() {
    Table table = create("db.t");
    BundleResult result = result(table, order(1, null, "eu"));
    effect().perform("db.t", batch(1, List.of(result)));

    Outcome<TableEvent> again = effect().perform("db.t", batch(1, List.of(result)));

    TableCommit commit = Iterables.getOnlyElement(reports(again)).commit();
    assertThat(commit.replayed(), is(true));
    assertThat(commit.rows(), is(1L));
    assertThat(Iterables.size(catalog.loadTable(id("db.t")).snapshots()), is(1));
  }

  @Test
  public void rewoundRunnerFailsThePipelineByDefault() {
    Table table = create("db.t");
    effect().perform("db.t", batch(1, List.of(result(table, order(1, null, "eu")))));
    BundleResult other = result(table, order(2, null, "eu"));

    CommitException e =
        assertThrows(
            CommitException.class, () -> effect().perform("db.t", batch(1, List.of(other))));

    assertThat(e.kind(), is(CommitException.Kind.REWOUND));
  }

  @Test
  public void rewoundRunnerIsParkedWhereThatIsAskedFor() {
    Table table = create("db.t");
    effect().perform("db.t", batch(1, List.of(result(table, order(1, null, "eu")))));
    BundleResult other = result(table, order(2, null, "eu"));

    assertParked(
        effect(write().withOnRewind(RewindPolicy.PARK)).perform("db.t", batch(1, List.of(other))),
        other,
        "db.t");
  }

  @Test
  public void rewoundRunnerIsAcceptedAndCountedWhereThatIsAskedFor() {
    Table table = create("db.t");
    effect().perform("db.t", batch(1, List.of(result(table, order(1, null, "eu")))));
    BundleResult other = result(table, order(2, null, "eu"));

    List<TableEvent> events =
        reports(
            effect(write().withOnRewind(RewindPolicy.ACCEPT))
                .perform("db.t", batch(1, List.of(other))));

    assertThat(events, hasSize(2));
    assertThat(events.get(0).commit().rows(), is(1L));
    assertThat(events.get(1).tallies().acceptedRewinds(), is(1));
  }

  @Test
  public void recreatedTableIsToldFromADamagedResult() {
    BundleResult former =
        result(
            Warehouse.create(catalog, "db.t", ORDER, "region", "hour(placed)"),
            order(1, "2024-05-01T10:00:00Z", "eu"));
    catalog.catalog().dropTable(id("db.t"), false);
    create("db.t");

    CommitException e =
        assertThrows(
            CommitException.class, () -> effect().perform("db.t", batch(1, List.of(former))));
    assertThat(e.kind(), is(CommitException.Kind.TABLE_RECREATED));

    assertParked(
        effect(write().withOnRewind(RewindPolicy.PARK)).perform("db.t", batch(1, List.of(former))),
        former,
        "db.t");

    List<TableEvent> accepted =
        reports(
            effect(write().withOnRewind(RewindPolicy.ACCEPT))
                .perform("db.t", batch(1, List.of(former))));
    assertThat(json(Iterables.getLast(accepted)), containsString(paths(former).get(0)));
    assertThat(Iterables.getLast(accepted).tallies().orphanFiles(), is(1));
  }

  @Test
  public void damagedResultFailsThePipeline() {
    Table table = create("db.t");
    byte[] bytes = result(table, order(1, null, "eu")).files().get(0).clone();
    BundleResult whole = result(table, order(1, null, "eu"));
    bytes[0] = 9;
    BundleResult damaged =
        BundleResult.of(table.uuid().toString(), List.of(bytes), 1, null, whole.accumulators());

    assertThrows(
        IllegalArgumentException.class, () -> effect().perform("db.t", batch(1, List.of(damaged))));
  }

  @Test
  public void resultOfASpecThatTheTableForgotIsParked() {
    Table table = Warehouse.create(catalog, "db.t", ORDER, "region");
    BundleResult result = result(table, order(1, null, "eu"));
    table.updateSpec().removeField("region").commit();
    table.expireSnapshots().cleanExpiredMetadata(true).commit();

    assertParked(
        effect().perform("db.t", batch(1, List.of(result))), result, "its partition spec 0");
  }

  @Test
  public void refusingHookIsAskedAgain() {
    Table table = create("db.t");
    CommitEffect effect =
        effect(
            write()
                .withCommitHook(
                    new SerializableCommitHook() {
                      @Override
                      public void beforeCommit(CommitContext context) throws IOException {
                        throw new IOException("not now");
                      }
                    }));

    Outcome<TableEvent> outcome =
        effect.perform("db.t", batch(1, List.of(result(table, order(1, null, "eu")))));

    assertThat(retryAfter(outcome), is(Duration.standardSeconds(1)));
    assertThat(catalog.loadTable(id("db.t")).currentSnapshot(), is(nullValue()));
  }

  @Test
  public void heartbeatAloneIsPassedOnWithoutALookAtTheTable() {
    Instant at = Instant.parse("2024-05-01T12:00:00Z");
    Instant watermark = Instant.parse("2024-05-01T10:00:00Z");

    assertThat(
        attestation(Heartbeat.of(watermark, at)),
        is(Attestation.of(watermark.getMillis(), at.getMillis())));
  }

  @Test
  public void watermarksThatSayNothingAreNotAttested() {
    Instant at = Instant.parse("2024-05-01T12:00:00Z");

    assertThat(
        attestation(Heartbeat.of(BoundedWindow.TIMESTAMP_MIN_VALUE, at)),
        is(Attestation.of(null, at.getMillis())));
    assertThat(
        attestation(Heartbeat.of(GlobalWindow.INSTANCE.maxTimestamp(), at)),
        is(Attestation.of(null, at.getMillis())));
  }

  @Test
  public void heartbeatBehindResultsGoesWithTheirCommit() {
    Table table = create("db.t");
    Heartbeat heartbeat =
        Heartbeat.of(Instant.parse("2024-05-01T10:00:00Z"), Instant.parse("2024-05-01T12:00:00Z"));

    TableEvent event =
        Iterables.getOnlyElement(
            reports(
                effect()
                    .perform(
                        "db.t",
                        batch(1, List.of(result(table, order(1, null, "eu"))), heartbeat))));

    assertThat(
        event.attestation().inputWatermarkMillis(), is(heartbeat.inputWatermark().getMillis()));
  }

  private Attestation attestation(Heartbeat heartbeat) {
    List<TableEvent> events =
        reports(effect().perform("db.nowhere", batch(1, List.of(), heartbeat)));
    return Iterables.getOnlyElement(events).attestation();
  }

  private Map<String, BundleResult> tables(int count) {
    Map<String, BundleResult> results = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      String name = "db.t" + i;
      results.put(name, result(create(name), order(i, null, "eu")));
    }
    return results;
  }

  private Table create(String name) {
    return Warehouse.create(catalog, name, ORDER);
  }

  private static TableIdentifier id(String name) {
    return TableIdentifier.parse(name);
  }

  private WriteRows write() {
    return TidemarkIcebergIO.writeRows()
        .withCatalog(catalog)
        .withWriterId("eu")
        .to(row -> "db." + row.getString("region"));
  }

  private CommitEffect effect() {
    return effect(write());
  }

  private static CommitEffect effect(WriteRows write) {
    Accumulating none = Accumulating.of(write.accumulators(), ORDER, CoderRegistry.createDefault());
    CommitEffect effect = new CommitEffect(new TableCommitter(write, none), PARKED_RETRY);
    effect.setup(PipelineOptionsFactory.create());
    return effect;
  }

  private static void assertParked(
      Outcome<TableEvent> outcome, BundleResult result, String reason) {
    assertThat(retryAfter(outcome), is(PARKED_RETRY));
    TableEvent event = Iterables.getOnlyElement(reports(outcome));
    for (String path : paths(result)) {
      assertThat(json(event), containsString(path));
    }
    assertThat(event.failure().getFailure().getDescription(), containsString(reason));
    assertThat(event.tallies(), is(Tallies.parked(1)));
  }

  private static String json(TableEvent event) {
    return event.failure().getRecord().getHumanReadableJsonRecord();
  }
}
