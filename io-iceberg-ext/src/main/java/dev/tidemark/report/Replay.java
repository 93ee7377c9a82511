package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.finalization.Advance;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.Decision;
import dev.tidemark.finalization.Evidence;
import dev.tidemark.finalization.IdlePolicy;
import dev.tidemark.finalization.WaitCode;
import dev.tidemark.finalization.WatermarkRule;
import dev.tidemark.finalization.WriterWindow;
import dev.tidemark.sensor.FinalizationTimeline;
import dev.tidemark.sensor.TimelineCommit;
import dev.tidemark.sensor.TimelinePoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Takes a table's past through the watermark rule, point by point, with the evidence that was there
 * at each of them: windows that grow and lose what was rolled back as those of the commit stage do,
 * and what writers had attested.
 *
 * <p>Where what is stored is not enough to repeat a decision, the watermark is bounded instead: it
 * is never beyond the time of the decision.
 */
final class Replay {
  private final FinalizationTimeline timeline;
  private final SimulationRules rules;
  private final long granularityMillis;
  private final Map<String, WriterWindow> windows = new HashMap<>();
  private final Set<Long> reduced = new HashSet<>();
  private final List<Bounds.Step> steps = new ArrayList<>();
  private int unsurePoints;
  private @Nullable Instant lastUnsure;

  Replay(FinalizationTimeline timeline, SimulationRules rules) {
    this.timeline = timeline;
    this.rules = rules;
    this.granularityMillis = rules.granularity().toMillis();
    timeline.earlier().forEach((writer, facts) -> windows.put(writer, window(writer).add(facts)));
  }

  /** What became of the watermark by these rules. */
  Bounds run() {
    Long stored = null;
    Long since = null;
    ImmutableList<TimelinePoint> points = timeline.points();
    // Nothing decided before the first point was beyond its own time.
    Long unsure = timeline.cut() ? Hours.millis(points.get(0).at()) : null;
    @Nullable String asking = null;
    for (TimelinePoint point : points) {
      asking = take(point, asking);
      Advance advance = next(point, asking, stored, since);
      if (point.pausedReason() == null) {
        stored = advance.afterMillis();
        since = advance.sinceMillis();
      }
      if (!isRepeatable(point, advance)) {
        unsurePoints++;
        lastUnsure = point.at();
        long at = point.at().toEpochMilli();
        unsure = unsure == null ? at : Math.max(unsure, at);
      }
      steps.add(new Bounds.Step(point.at(), stored, high(stored, unsure)));
    }
    return new Bounds(ImmutableList.copyOf(steps), timeline.cut());
  }

  /**
   * What the rules make of the evidence at each point, given the watermark that there really was.
   */
  List<String> reasons(Bounds actual) {
    List<String> reasons = new ArrayList<>();
    @Nullable String asking = null;
    for (int i = 0; i < timeline.points().size(); i++) {
      TimelinePoint point = timeline.points().get(i);
      asking = take(point, asking);
      Long stored = actual.steps().get(i).low();
      reasons.add(
          point.pausedReason() == null
              ? next(point, asking, stored, stored).reason()
              : "Paused: " + point.pausedReason());
    }
    return reasons;
  }

  /** Decisions that what is stored does not suffice to repeat. */
  int unsurePoints() {
    return unsurePoints;
  }

  /** The last of them; null if there are none. */
  @Nullable Instant lastUnsure() {
    return lastUnsure;
  }

  /** The facts of the point's commit enter their writer's window; returns who commits or asks. */
  private @Nullable String take(TimelinePoint point, @Nullable String asking) {
    TimelineCommit commit = point.commit();
    String writer = commit == null ? null : commit.writer();
    if (commit == null || writer == null) {
      return asking;
    }
    WriterWindow held = held(writer, point);
    CommitFacts facts = facts(commit, writer, point, held);
    if (facts != null) {
      windows.put(writer, held.add(facts).trim(rules.policy().lookback()));
      if (commit.reduced()) {
        reduced.add(facts.snapshotId());
      }
    }
    return writer;
  }

  /** Rows without facts are noted in a window that has facts, as the commit stage does. */
  private static @Nullable CommitFacts facts(
      TimelineCommit commit, String writer, TimelinePoint point, WriterWindow held) {
    Long rows = commit.rows();
    if (commit.facts() != null || rows == null || rows == 0 || held.facts().isEmpty()) {
      return commit.facts();
    }
    return CommitFacts.unknown(writer, commit.snapshotId(), point.at().toEpochMilli(), rows);
  }

  private Advance next(
      TimelinePoint point, @Nullable String asking, @Nullable Long stored, @Nullable Long since) {
    ImmutableSet<String> required = required(point, asking);
    Evidence evidence =
        Evidence.at(point.at().toEpochMilli())
            .withRequiredWriters(required)
            .withGranularityMillis(granularityMillis)
            .withStored(stored, since);
    for (String writer : required) {
      evidence = evidence.withWindow(held(writer, point));
      Attestation attestation = point.attestations().get(writer);
      if (attestation != null) {
        evidence = evidence.withAttestation(writer, attestation);
      }
    }
    return WatermarkRule.next(rules.policy(), rules.idle(), evidence);
  }

  /** A writer that requires no others asks for itself. */
  private static ImmutableSet<String> required(TimelinePoint point, @Nullable String asking) {
    return point.requiredWriters().isEmpty() && asking != null
        ? ImmutableSet.of(asking)
        : point.requiredWriters();
  }

  private WriterWindow window(String writer) {
    WriterWindow window = windows.get(writer);
    return window == null ? WriterWindow.empty(writer) : window;
  }

  private WriterWindow held(String writer, TimelinePoint point) {
    WriterWindow window = window(writer);
    if (window.facts().stream().noneMatch(facts -> point.lost().contains(facts.snapshotId()))) {
      return window;
    }
    WriterWindow held = WriterWindow.empty(writer);
    for (CommitFacts facts : window.facts()) {
      held = point.lost().contains(facts.snapshotId()) ? held : held.add(facts);
    }
    return held;
  }

  private boolean isRepeatable(TimelinePoint point, Advance advance) {
    boolean attestationsCount =
        rules.policy().needsAttestation() || rules.idle().policy() != IdlePolicy.WAIT;
    if (!point.stored() && attestationsCount) {
      return false;
    }
    for (Map.Entry<String, Decision> decision : advance.perWriter().entrySet()) {
      WaitCode code = decision.getValue().waitCode();
      boolean historyIsShort =
          code == WaitCode.TOO_FEW_COMMITS || code == WaitCode.TOO_SHORT_HISTORY;
      if (historyIsShort && timeline.cut()) {
        return false;
      }
      if (code == WaitCode.MISSING_FACTS
          && window(decision.getKey()).facts().stream()
              .anyMatch(facts -> reduced.contains(facts.snapshotId()))) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Long high(@Nullable Long stored, @Nullable Long unsure) {
    if (unsure == null) {
      return stored;
    }
    long most = unsure - Math.floorMod(unsure, granularityMillis);
    return stored == null ? most : Math.max(stored, most);
  }
}
