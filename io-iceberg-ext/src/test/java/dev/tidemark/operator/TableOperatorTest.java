package dev.tidemark.operator;

import static dev.tidemark.sensor.SensorTable.TABLE;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import dev.tidemark.commit.AdvanceOutcome;
import dev.tidemark.commit.AdvanceProtocol;
import dev.tidemark.commit.AdvanceRequest;
import dev.tidemark.commit.FaultyAccess;
import dev.tidemark.commit.OperatorAct;
import dev.tidemark.commit.TableAccess;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.Policies;
import dev.tidemark.sensor.EventTimeRange;
import dev.tidemark.sensor.FinalizationException;
import dev.tidemark.sensor.FinalizationReport.SnapshotState;
import dev.tidemark.sensor.FinalizationStatus.State;
import dev.tidemark.sensor.SensorTable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.joda.time.Duration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** What operators do to a real table, beside a pipeline that goes on. */
@RunWith(Parameterized.class)
public final class TableOperatorTest {
  private static final Instant TEN = Instant.parse("2026-01-01T10:00:00Z");
  private static final Instant ELEVEN = Instant.parse("2026-01-01T11:00:00Z");
  private static final Instant TWELVE = Instant.parse("2026-01-01T12:00:00Z");
  private static final EventTimeRange HOUR = EventTimeRange.of(TEN, ELEVEN);

  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return SensorTable.Kind.values();
  }

  @Rule public final SensorTable table;

  public TableOperatorTest(SensorTable.Kind kind) {
    this.table = new SensorTable(kind);
  }

  private TableOperator operator() {
    return operator(TableAccess.of(table.catalog()));
  }

  private TableOperator operator(TableAccess access) {
    return TableOperator.of(access, TABLE)
        .by("ana")
        .withClock(table.clock())
        .withSleeper(millis -> {});
  }

  private FaultyAccess faults() {
    return new FaultyAccess(table.catalog());
  }

  private Map<String, String> properties() {
    return table.table().properties();
  }

  private List<OperatorAct> acts() {
    return table.finalization().operations();
  }

  private void finalizeFromTenToTwelve() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
  }

  /** What a pipeline does that goes by the input watermark it saw at a time. */
  private AdvanceOutcome advanceByInputWatermark(Instant watermark, Instant at) {
    return new AdvanceProtocol(TableAccess.of(table.catalog()), table.clock(), millis -> {})
        .advance(
            TABLE,
            AdvanceRequest.of("eu", Policies.inputWatermark(Duration.ZERO))
                .withAttestation(Attestation.of(watermark.toEpochMilli(), at.toEpochMilli())));
  }

  @Test
  public void pausedTableStaysAndResumedOneMoves() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");

    OperatorOutcome paused = operator().pause("source audit");
    table.commit("eu", "2026-01-01T12:05:00Z");
    AdvanceOutcome held = table.advance("eu");
    OperatorOutcome resumed = operator().resume("audit passed");
    AdvanceOutcome moved = table.advance("eu");

    assertThat(paused.changed(), is(true));
    assertThat(held.status(), is(AdvanceOutcome.Status.WAITING));
    assertThat(held.reason(), is("Paused: source audit"));
    assertThat(resumed.effect(), containsString("Moved to 2026-01-01T12:00:00Z"));
    assertThat(moved.afterMillis(), is(TWELVE.toEpochMilli()));
    assertThat(
        acts(),
        contains(
            OperatorAct.of(
                "pause", table.now(), "ana", "source audit", null, "paused: source audit"),
            OperatorAct.of(
                "resume", table.now(), "ana", "audit passed", "paused: source audit", null)));
  }

  @Test
  public void actThatChangesNothingWritesNothing() {
    operator().pause("audit");
    Map<String, String> before = properties();

    OperatorOutcome again = operator().pause("audit");
    OperatorOutcome other = operator().pause("another audit");
    operator().resume("done");
    OperatorOutcome resumedAgain = operator().resume("done");

    assertThat(again.changed(), is(false));
    assertThat(again.act(), is(nullValue()));
    assertThat(before, hasEntry("tidemark.paused", "audit"));
    assertThat(other.act().before(), is("paused: audit"));
    assertThat(resumedAgain.changed(), is(false));
    assertThat(acts(), hasSize(3));
  }

  @Test
  public void resetMovesTheWatermarkBackAndIsAudited() {
    finalizeFromTenToTwelve();
    long head = table.table().currentSnapshot().snapshotId();

    OperatorOutcome outcome = operator().reset(ELEVEN, "hour 11 was lost by the source");

    assertThat(outcome.watermarkBefore(), is(TWELVE));
    assertThat(outcome.watermarkAfter(), is(ELEVEN));
    assertThat(table.finalization().finalizedUntil(), is(ELEVEN));
    Map<String, String> after = properties();
    assertThat(
        after, hasEntry("tidemark.finalized-until-ms", Long.toString(ELEVEN.toEpochMilli())));
    assertThat(after, hasEntry("tidemark.finalized-until-snapshot-id", Long.toString(head)));
    assertThat(after, hasEntry("tidemark.reset-at", table.now().toString()));
    assertThat(after, not(hasKey("tidemark.window.eu")));
    assertThat(
        acts(),
        contains(
            OperatorAct.of(
                "reset",
                table.now(),
                "ana",
                "hour 11 was lost by the source",
                "watermark 2026-01-01T12:00:00Z",
                "watermark 2026-01-01T11:00:00Z, paused")));
    if (properties().get("tidemark.fence").equals("snapshot")) {
      assertThat(
          table.table().currentSnapshot().summary().get("tidemark.operation"),
          containsString("hour 11 was lost by the source"));
    }
  }

  @Test
  public void runningPipelineDoesNotUndoAReset() {
    finalizeFromTenToTwelve();
    operator().reset(ELEVEN, "lost");

    AdvanceOutcome next = table.advance("eu");
    AdvanceOutcome afterACommit = table.commitAndAdvance("eu", "2026-01-01T13:05:00Z");

    assertThat(next.status(), is(AdvanceOutcome.Status.WAITING));
    assertThat(afterACommit.status(), is(AdvanceOutcome.Status.WAITING));
    assertThat(table.finalization().finalizedUntil(), is(ELEVEN));

    // Once somebody resumes it, the policy counts commits from after the reset: here it wants one.
    operator().resume("backfilled");
    assertThat(
        table.advance("eu").afterMillis(),
        is(Instant.parse("2026-01-01T13:00:00Z").toEpochMilli()));
  }

  @Test
  public void resetThatGoesOnWaitsForNewEvidence() {
    finalizeFromTenToTwelve();
    operator().reset(ELEVEN, "lost", false, true);

    AdvanceOutcome byOldEvidence = table.advance("eu");
    AdvanceOutcome byNewEvidence = table.commitAndAdvance("eu", "2026-01-01T11:30:00Z");
    AdvanceOutcome later = table.commitAndAdvance("eu", "2026-01-01T12:30:00Z");

    assertThat(byOldEvidence.status(), is(AdvanceOutcome.Status.WAITING));
    assertThat(byOldEvidence.afterMillis(), is(ELEVEN.toEpochMilli()));
    assertThat(byNewEvidence.afterMillis(), is(ELEVEN.toEpochMilli()));
    assertThat(later.afterMillis(), is(TWELVE.toEpochMilli()));
  }

  @Test
  public void attestationFromBeforeAResetDoesNotCount() {
    finalizeFromTenToTwelve();
    Instant before = table.now().minusSeconds(1);
    operator().reset(ELEVEN, "lost", false, true);

    AdvanceOutcome remembered = advanceByInputWatermark(TWELVE, before);
    AdvanceOutcome fresh = advanceByInputWatermark(TWELVE, table.now());

    assertThat(remembered.afterMillis(), is(ELEVEN.toEpochMilli()));
    assertThat(remembered.status(), is(AdvanceOutcome.Status.WAITING));
    assertThat(fresh.afterMillis(), is(TWELVE.toEpochMilli()));
  }

  @Test
  public void advanceThatIsUnderwayFindsTheReset() {
    finalizeFromTenToTwelve();
    table.commit("eu", "2026-01-01T14:05:00Z");
    FaultyAccess faults =
        faults().then(FaultyAccess.after(() -> operator().reset(ELEVEN, "in between")));

    AdvanceOutcome outcome =
        new AdvanceProtocol(faults, table.clock(), millis -> {})
            .advance(TABLE, AdvanceRequest.of("eu", SensorTable.POLICY));

    assertThat(outcome.status(), is(AdvanceOutcome.Status.WAITING));
    assertThat(table.finalization().finalizedUntil(), is(ELEVEN));
  }

  @Test
  public void resetRecordsTheWatermarkThatItReallyReplaced() {
    finalizeFromTenToTwelve();
    FaultyAccess faults =
        faults()
            .then(FaultyAccess.after(() -> table.commitAndAdvance("eu", "2026-01-01T13:05:00Z")));

    OperatorOutcome outcome = operator(faults).reset(ELEVEN, "lost");

    assertThat(outcome.watermarkBefore(), is(Instant.parse("2026-01-01T13:00:00Z")));
    assertThat(acts().get(0).before(), is("watermark 2026-01-01T13:00:00Z"));
    assertThat(table.finalization().finalizedUntil(), is(ELEVEN));
  }

  @Test
  public void lostAnswerIsLookedForAndNotRepeated() {
    finalizeFromTenToTwelve();
    FaultyAccess faults =
        faults()
            .then(
                FaultyAccess.failAfter(
                    new CommitStateUnknownException(new RuntimeException("timeout"))));

    OperatorOutcome outcome = operator(faults).reset(ELEVEN, "lost");

    assertThat(outcome.changed(), is(true));
    assertThat(outcome.watermarkBefore(), is(TWELVE));
    assertThat(acts(), contains(outcome.act()));
  }

  @Test
  public void watermarkCanBeTakenAway() {
    finalizeFromTenToTwelve();

    operator().reset(null, "nothing is certain");

    assertThat(table.finalization().finalizedUntil(), is(nullValue()));
    assertThat(table.finalization().status(HOUR).state(), is(State.NOT_YET));
    assertThat(acts().get(0).after(), is("watermark none, paused"));
  }

  @Test
  public void forwardNeedsForceAndThePast() {
    finalizeFromTenToTwelve();
    Instant thirteen = Instant.parse("2026-01-01T13:00:00Z");
    Instant future = table.now().plusSeconds(1);

    OperatorException refused =
        assertThrows(OperatorException.class, () -> operator().reset(thirteen, "I know"));
    OperatorException ahead =
        assertThrows(
            OperatorException.class, () -> operator().reset(future, "I know", true, false));
    operator().reset(thirteen, "the source is gone for good", true, false);

    assertThat(refused.kind(), is(OperatorException.Kind.FORWARD));
    assertThat(refused.getMessage(), containsString("from 2026-01-01T12:00:00Z to 2026-01-01T13"));
    assertThat(ahead.kind(), is(OperatorException.Kind.FORWARD));
    assertThat(table.finalization().finalizedUntil(), is(thirteen));
  }

  @Test
  public void resetAfterARollbackCountsAgain() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long before = table.table().currentSnapshot().snapshotId();
    finalizeFromTenToTwelve();
    table.rollbackTo(before);
    assertThat(table.finalization().report().snapshotState(), is(SnapshotState.ROLLED_BACK));

    operator().reset(TEN, "rolled back on purpose");

    assertThat(table.finalization().report().snapshotState(), is(SnapshotState.HELD));
    assertThat(table.finalization().finalizedUntil(), is(TEN));
  }

  @Test
  public void resetOfACloneMakesItsOwnWatermark() {
    finalizeFromTenToTwelve();
    table.setProperty("tidemark.finalized-until-table-uuid", "00000000-another");
    assertThrows(FinalizationException.class, () -> table.finalization().finalizedUntil());

    operator().reset(TEN, "copied on purpose", true, false);

    assertThat(table.finalization().finalizedUntil(), is(TEN));
    assertThat(table.finalization().finalizedSince(), is(TEN));
    assertThat(acts().get(0).before(), is("watermark of another table"));
  }

  @Test
  public void retiredWriterIsNotWaitedFor() {
    table.setProperty("tidemark.writers", "a,b");
    table.commitAndAdvance("a", "2026-01-01T12:05:00Z");
    table.commitAndAdvance("b", "2026-01-01T10:05:00Z");
    table.commitAndAdvance("a", "2026-01-01T13:05:00Z");
    assertThat(table.finalization().finalizedUntil(), is(TEN));

    OperatorOutcome retired = operator().retireWriter("b", "region closed");
    AdvanceOutcome next = table.advance("a");

    assertThat(properties(), hasEntry("tidemark.writers", "a"));
    assertThat(retired.effect(), containsString("Moved to 2026-01-01T13:00:00Z"));
    assertThat(next.afterMillis(), is(Instant.parse("2026-01-01T13:00:00Z").toEpochMilli()));
    assertThat(acts().get(0).before(), is("writers a,b"));
    assertThat(acts().get(0).after(), is("writers a"));
    // What the retired one still brings is kept and counts as late.
    table.commit("b", "2026-01-01T11:05:00Z");
    assertThat(table.finalization().late(EventTimeRange.until(TWELVE)).get(0).writer(), is("b"));
  }

  @Test
  public void addedWriterIsWaitedForAndMovesNothingBack() {
    finalizeFromTenToTwelve();

    OperatorOutcome added = operator().addWriter("us", "second region");
    AdvanceOutcome waits = table.commitAndAdvance("eu", "2026-01-01T14:05:00Z");
    AdvanceOutcome both = table.commitAndAdvance("us", "2026-01-01T13:05:00Z");

    assertThat(properties(), hasEntry("tidemark.writers", "eu,us"));
    assertThat(added.effect(), containsString("Waiting"));
    assertThat(waits.status(), is(AdvanceOutcome.Status.WAITING));
    assertThat(waits.afterMillis(), is(TWELVE.toEpochMilli()));
    assertThat(both.afterMillis(), is(Instant.parse("2026-01-01T13:00:00Z").toEpochMilli()));
    assertThat(operator().addWriter("us", "again").changed(), is(false));
  }

  /** A reset takes the evidence away, and with it what else would name the writers. */
  @Test
  public void writerAddedAfterAResetDoesNotReplaceTheOthers() {
    finalizeFromTenToTwelve();
    operator().reset(ELEVEN, "lost", false, true);

    OperatorOutcome added = operator().addWriter("us", "second region");
    AdvanceOutcome us = table.commitAndAdvance("us", "2026-01-01T14:05:00Z");

    assertThat(properties(), hasEntry("tidemark.writers", "eu,us"));
    assertThat(added.effect(), containsString("Required are eu, us."));
    assertThat(us.status(), is(AdvanceOutcome.Status.WAITING));
    assertThat(us.afterMillis(), is(ELEVEN.toEpochMilli()));
    assertThat(operator().retireWriter("us", "closed").changed(), is(true));
  }

  @Test
  public void lastAndUnknownWritersAreNotRetired() {
    finalizeFromTenToTwelve();

    OperatorException last =
        assertThrows(OperatorException.class, () -> operator().retireWriter("eu", "done"));
    OperatorException unknown =
        assertThrows(OperatorException.class, () -> operator().retireWriter("typo", "done"));
    assertThrows(IllegalArgumentException.class, () -> operator().addWriter("a b", "done"));

    assertThat(last.kind(), is(OperatorException.Kind.LAST_WRITER));
    assertThat(unknown.kind(), is(OperatorException.Kind.WRITER_UNKNOWN));
    assertThat(unknown.getMessage(), containsString("[eu]"));
    assertThat(properties(), not(hasKey("tidemark.writers")));
  }

  @Test
  public void tableInUseIsNotDisabledUnlessForced() {
    finalizeFromTenToTwelve();

    OperatorException refused =
        assertThrows(OperatorException.class, () -> operator().disable("moved elsewhere"));

    assertThat(refused.kind(), is(OperatorException.Kind.IN_USE));
    assertThat(refused.getMessage(), containsString("writer eu wrote at "));
    assertThat(table.finalization().finalizedUntil(), is(TWELVE));

    operator().disable("moved elsewhere", true, java.time.Duration.ofHours(1));

    FinalizationException told =
        assertThrows(FinalizationException.class, () -> table.finalization().status(HOUR));
    assertThat(told.kind(), is(FinalizationException.Kind.DISABLED));
    assertThat(told.getMessage(), containsString("disabled: moved elsewhere"));
    assertThat(
        properties().keySet().stream()
            .filter(key -> key.startsWith("tidemark."))
            .filter(key -> !key.startsWith("tidemark.committed."))
            .sorted()
            .toList(),
        contains("tidemark.disabled", "tidemark.fence", "tidemark.operations", "tidemark.paused"));
    assertThat(properties(), hasKey("tidemark.committed.eu.0"));
  }

  /** A wait has to end, too, and a pipeline that was not stopped must not bring it all back. */
  @Test
  public void disabledTableEndsWaitsAndStaysSo() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");

    FinalizationException told =
        assertThrows(
            FinalizationException.class,
            () ->
                table
                    .finalization()
                    .withSleeper(
                        table.sleeper(
                            () -> operator().disable("gone", true, java.time.Duration.ofHours(1))))
                    .await(HOUR, java.time.Duration.ofHours(1), java.time.Duration.ofMinutes(1)));
    AdvanceOutcome next = table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");

    assertThat(told.kind(), is(FinalizationException.Kind.DISABLED));
    assertThat(next.reason(), is("Paused: the table is disabled: gone"));
    assertThat(properties(), not(hasKey("tidemark.finalized-until")));

    operator().resume("needed after all");
    table.commitAndAdvance("eu", "2026-01-01T14:05:00Z");
    assertThat(table.finalization().finalizedUntil(), is(Instant.parse("2026-01-01T14:00:00Z")));
  }

  @Test
  public void quietTableIsDisabled() throws InterruptedException {
    finalizeFromTenToTwelve();
    table.sleeper(() -> {}).sleep(java.time.Duration.ofDays(400).toMillis());

    assertThat(operator().disable("nobody writes it").changed(), is(true));
    assertThat(operator().disable("again").changed(), is(false));
  }

  @Test
  public void actsOnABranchLeaveOthersAlone() {
    finalizeFromTenToTwelve();
    table.commit("audit", "eu", SensorTable.stats("2026-01-01T10:05:00Z"));

    operator().branch("audit").pause("audit");

    assertThat(properties(), hasEntry("tidemark.audit.paused", "audit"));
    assertThat(properties(), not(hasKey("tidemark.paused")));
    assertThat(acts(), is(empty()));
    assertThat(
        table.finalization().branch("audit").operations().stream().map(OperatorAct::verb).toList(),
        hasItem("pause"));
  }

  @Test
  public void concurrentPauseIsNotLostByAnAdvance() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    table.commit("eu", "2026-01-01T12:05:00Z");
    FaultyAccess faults = faults().then(FaultyAccess.after(() -> table.advance("eu")));

    operator(faults).pause("audit");

    assertThat(table.finalization().report().pausedReason(), is("audit"));
    assertThat(table.finalization().finalizedUntil(), is(TWELVE));
  }
}
