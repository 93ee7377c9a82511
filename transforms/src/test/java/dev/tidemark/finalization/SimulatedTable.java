package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.DAY;
import static dev.tidemark.finalization.FinalizationTestUtils.HOUR;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeSketchBuilder;
import dev.tidemark.eventtime.EventTimeStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A table as a committer sees it, and the truth that only the simulation knows. What lasts from
 * commit to commit are texts, as they are stored with a table, so that snapshots may expire at any
 * time. Commits replay their facts, and the rule is run any number of times after a commit, or not
 * at all.
 *
 * <p>With each commit it checks that its rows below the watermark are reported: exactly, or by an
 * upper bound that admits to be one. With each run of the rule it checks that the watermark neither
 * moves back nor beyond the present.
 */
final class SimulatedTable {

  /** A row, and the source it comes from. */
  record Row(String source, long eventTimeMillis) {}

  final FinalizationPolicy policy;
  final IdleHandling idle;
  final List<String> required;

  /** What the committer does to facts before it stores them. */
  UnaryOperator<CommitFacts> facts = UnaryOperator.identity();

  @Nullable Long watermarkMillis;
  @Nullable Long sinceMillis;

  /** Rows that came below the watermark, by source. */
  final Multiset<String> late = HashMultiset.create();

  /** Those of them that lie within what the table claimed to be finalized. */
  final Multiset<String> lateWithinClaim = HashMultiset.create();

  /** Each distinct watermark in turn. */
  final List<Long> watermarks = new ArrayList<>();

  final Multiset<WaitCode> waits = HashMultiset.create();
  long reported;

  private final Random random;
  private final Map<String, String> windows = new HashMap<>();
  private final Map<String, Attestation> attestations = new HashMap<>();
  private long snapshots;

  SimulatedTable(
      FinalizationPolicy policy, IdleHandling idle, List<String> required, Random random) {
    this.policy = Policies.parse(policy.describe());
    this.idle = idle;
    this.required = required;
    this.random = random;
  }

  void commit(String writer, long nowMillis, List<Row> rows, @Nullable Long inputWatermark) {
    CommitFacts made =
        facts.apply(
            CommitFacts.of(writer, ++snapshots, nowMillis, stats(rows, nowMillis), inputWatermark));
    if (watermarkMillis != null) {
      checkReport(made, rows, watermarkMillis, nowMillis);
    }
    CommitFacts kept = policy.needsSketch() ? made : made.withoutSketch();
    String text = windows.get(writer);
    WriterWindow window = text == null ? WriterWindow.empty(writer) : WriterWindow.fromText(text);
    window = window.add(kept);
    if (random.nextInt(10) == 0) {
      window = window.add(kept);
    }
    windows.put(writer, window.trim(policy.lookback()).toText());
  }

  void attest(String writer, long nowMillis, @Nullable Long inputWatermark) {
    attestations.put(writer, Attestation.of(inputWatermark, nowMillis));
  }

  /** Runs the rule; now and then a crash prevents it, or it is run twice. */
  void advance(long nowMillis) {
    for (int runs = random.nextInt(10) == 0 ? random.nextInt(3) : 1; runs > 0; runs--) {
      advanceOnce(nowMillis);
    }
  }

  private void advanceOnce(long nowMillis) {
    Evidence evidence =
        Evidence.at(nowMillis)
            .withRequiredWriters(required)
            .withStored(watermarkMillis, sinceMillis);
    for (String text : windows.values()) {
      evidence = evidence.withWindow(WriterWindow.fromText(text));
    }
    for (Map.Entry<String, Attestation> entry : attestations.entrySet()) {
      evidence = evidence.withAttestation(entry.getKey(), entry.getValue());
    }
    Advance advance = WatermarkRule.next(policy, idle, evidence);
    advance.perWriter().values().stream()
        .filter(Decision::isWait)
        .forEach(decision -> waits.add(decision.waitCode()));
    if (!advance.moved()) {
      return;
    }
    assertThat(advance.afterMillis(), is(lessThanOrEqualTo(nowMillis)));
    assertThat(Math.floorMod(advance.afterMillis(), HOUR), is(0L));
    if (watermarkMillis != null) {
      assertThat(advance.afterMillis(), is(greaterThanOrEqualTo(watermarkMillis)));
      assertThat(advance.sinceMillis(), is(sinceMillis));
    }
    watermarkMillis = advance.afterMillis();
    sinceMillis = advance.sinceMillis();
    watermarks.add(watermarkMillis);
  }

  private static EventTimeStats stats(List<Row> rows, long nowMillis) {
    EventTimeSketchBuilder builder = EventTimeSketch.builder(EventTimeSketch.HOUR_MILLIS);
    long past = 0;
    long future = 0;
    for (Row row : rows) {
      if (isPast(row, nowMillis)) {
        past++;
      } else if (row.eventTimeMillis() > nowMillis + DAY) {
        future++;
      } else {
        builder.add(row.eventTimeMillis());
      }
    }
    return EventTimeStats.of(builder.build()).withPastCount(past).withFutureCount(future);
  }

  private static boolean isPast(Row row, long nowMillis) {
    return row.eventTimeMillis() < nowMillis - 365 * DAY;
  }

  private void checkReport(CommitFacts made, List<Row> rows, long watermark, long nowMillis) {
    Map<Long, Long> truth = new TreeMap<>();
    long past = 0;
    LatenessReport report = LatenessReport.of(made, watermark, HOUR);
    for (Row row : rows) {
      if (row.eventTimeMillis() >= watermark) {
        continue;
      }
      late.add(row.source());
      if (row.eventTimeMillis() >= sinceMillis) {
        lateWithinClaim.add(row.source());
      }
      if (isPast(row, nowMillis)) {
        past++;
      } else if (report != null) {
        truth.merge(Boundaries.floor(row.eventTimeMillis(), report.widthMillis()), 1L, Long::sum);
      }
    }
    long all = truth.values().stream().mapToLong(Long::longValue).sum() + past;
    if (report == null) {
      assertThat("rows nobody was told of", all, is(0L));
      assertThat(rows.stream().filter(row -> row.eventTimeMillis() < watermark).count(), is(0L));
      return;
    }
    reported += report.lateRecords();
    assertThat(report.snapshotId(), is(made.snapshotId()));
    assertThat(report.pastCount(), is(past));
    if (report.exact()) {
      assertThat(report.lateRecords(), is(all));
      if (report.unplacedRecords() == 0) {
        assertThat(report.lateByHour(), is(truth));
      }
    } else {
      assertThat(report.lateRecords(), is(greaterThanOrEqualTo(all)));
    }
  }

  void assertHasWatermark() {
    assertThat(
        "the watermark never moved, so that nothing was shown",
        watermarkMillis,
        is(notNullValue()));
  }

  void assertHasNoWatermark() {
    assertThat(watermarkMillis, is(nullValue()));
  }
}
