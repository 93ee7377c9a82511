package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.sensor.FinalizationTimeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Puts a simulation together. */
final class Simulating {
  private static final int MOST_HOURS = 24 * 366;

  private final FinalizationTimeline timeline;
  private final SimulationRules rules;
  private final Instant now;
  private final Bounds actual;
  private final Replay replay;
  private final Bounds simulated;

  Simulating(FinalizationTimeline timeline, SimulationRules rules, Instant now) {
    if (timeline.points().isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot simulate table %s: branch %s holds no snapshot. Let a pipeline commit to it first."
              .formatted(timeline.report().table(), timeline.report().branch()));
    }
    this.timeline = timeline;
    this.rules = rules;
    this.now = now;
    this.actual = Bounds.actual(timeline);
    this.replay = new Replay(timeline, rules);
    this.simulated = replay.run();
  }

  Simulation simulation() {
    List<Commits.Met> were = Commits.of(timeline, actual);
    List<Commits.Met> would = Commits.under(were, simulated);
    List<LateCount> wereLate = were.stream().map(Commits.Met::late).toList();
    List<LateCount> wouldBeLate = would.stream().map(Commits.Met::late).toList();
    List<String> notices = new ArrayList<>(Notices.of(timeline));
    ImmutableList<SimulatedHour> hours = hours(were, would, notices);
    noteUnsure(notices);
    return Simulation.builder()
        .setTable(timeline.report())
        .setRules(rules)
        .setCommits(
            would.stream()
                .map(met -> Commits.span(met, timeline.points().get(met.point())))
                .collect(ImmutableList.toImmutableList()))
        .setActual(actual.moves())
        .setSimulated(simulated.moves())
        .setSimulatedAtMost(atMost())
        .setHours(hours)
        .setActualLate(sum(wereLate))
        .setSimulatedLate(sum(wouldBeLate))
        .setActualLateCommits((int) wereLate.stream().filter(late -> late.most() > 0).count())
        .setSimulatedLateCommits((int) wouldBeLate.stream().filter(late -> late.most() > 0).count())
        .setUnsurePoints(replay.unsurePoints())
        .setNotices(ImmutableList.copyOf(notices))
        .setMadeAt(now)
        .build();
  }

  private void noteUnsure(List<String> notices) {
    if (timeline.cut()) {
      notices.add(
          "The replay begins in the middle of the table's life. Hours before %s may have been final before that by these rules as well."
              .formatted(timeline.points().get(0).at()));
    }
    if (replay.unsurePoints() > 0) {
      notices.add(
          "%d of %d decisions cannot be repeated with what is stored, the last one at %s: the watermark is bounded there, and so are times and counts that depend on it."
              .formatted(replay.unsurePoints(), timeline.points().size(), replay.lastUnsure()));
    }
    if (rules.policy().needsAttestation()) {
      notices.add(
          "This policy also moves between commits. Only what writers attested with a commit or with a move is stored, so hours may have been final somewhat earlier.");
    }
  }

  private ImmutableList<WatermarkStep> atMost() {
    ImmutableList.Builder<WatermarkStep> all = ImmutableList.builder();
    for (Bounds.Step step : simulated.steps()) {
      Long high = step.high();
      if (high != null && !high.equals(step.low())) {
        all.add(new WatermarkStep(step.at(), Instant.ofEpochMilli(high)));
      }
    }
    return all.build();
  }

  private ImmutableList<SimulatedHour> hours(
      List<Commits.Met> were, List<Commits.Met> would, List<String> notices) {
    Long first = firstHour();
    Long last = lastHour(were);
    if (first == null || last == null || last <= first) {
      return ImmutableList.of();
    }
    long start = Math.max(first, last - MOST_HOURS * Hours.MILLIS);
    if (start > first) {
      notices.add(
          "Hours before %s are left out: there are too many."
              .formatted(Instant.ofEpochMilli(start)));
    }
    Map<Long, LateCount> wereLate = lateByHour(were);
    Map<Long, LateCount> wouldBeLate = lateByHour(would);
    ImmutableList.Builder<SimulatedHour> hours = ImmutableList.builder();
    for (long hour = start; hour < last; hour += Hours.MILLIS) {
      hours.add(
          new SimulatedHour(
              Instant.ofEpochMilli(hour),
              actual.reached(hour + Hours.MILLIS),
              simulated.reached(hour + Hours.MILLIS),
              wereLate.getOrDefault(hour, LateCount.NONE),
              wouldBeLate.getOrDefault(hour, LateCount.NONE)));
    }
    return hours.build();
  }

  /** From where on the table is covered; of a table whose begin is gone, what is open at first. */
  private @Nullable Long firstHour() {
    Long since = Hours.millis(timeline.report().finalizedSince());
    Long known = null;
    for (Bounds.Step step : actual.steps()) {
      if (step.low() != null) {
        known = step.low();
        break;
      }
    }
    Long first = since == null || (timeline.cut() && known != null) ? known : since;
    return first == null ? null : Long.valueOf(Hours.floor(first));
  }

  /** Everything final in either of them, and the hours of the newest events. */
  private @Nullable Long lastHour(List<Commits.Met> commits) {
    Long last = actual.last();
    Long other = simulated.last();
    last = last == null || (other != null && other > last) ? other : last;
    long newest = timeline.points().get(timeline.points().size() - 1).at().toEpochMilli();
    for (Commits.Met met : commits) {
      CommitFacts facts = met.commit().facts();
      Long max = facts == null ? null : facts.maxMillis();
      if (max != null && max <= newest && (last == null || max >= last)) {
        last = max + 1;
      }
    }
    return last == null ? null : Long.valueOf(Hours.ceil(last));
  }

  /** Counts per bucket, which are an hour wide unless a commit spans more than 192 of them. */
  private static Map<Long, LateCount> lateByHour(List<Commits.Met> commits) {
    Map<Long, LateCount> byHour = new TreeMap<>();
    for (Commits.Met met : commits) {
      CommitFacts facts = met.commit().facts();
      Long high = met.metHigh();
      if (facts == null || high == null) {
        continue;
      }
      Long low = met.metLow();
      for (Map.Entry<Long, Long> bucket : facts.buckets().headMap(high).entrySet()) {
        long start = bucket.getKey();
        boolean surely = low != null && start + facts.widthMillis() <= low;
        byHour.merge(
            Hours.floor(start),
            new LateCount(surely ? bucket.getValue() : 0, bucket.getValue()),
            LateCount::plus);
      }
    }
    return byHour;
  }

  private static LateCount sum(List<LateCount> counts) {
    return counts.stream().reduce(LateCount.NONE, LateCount::plus);
  }
}
