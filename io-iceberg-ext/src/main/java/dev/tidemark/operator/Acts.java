package dev.tidemark.operator;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableSortedSet;
import dev.tidemark.commit.PropertyChange;
import dev.tidemark.commit.TidemarkKeys;
import java.time.Instant;
import org.apache.iceberg.Snapshot;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The acts, each from one base and nothing else. */
final class Acts {
  private Acts() {}

  static Act pause(Base base, String reason) {
    String paused = base.watermark().pausedReason();
    if (reason.equals(paused)) {
      return Act.nothing(base, "The table is paused already, for this very reason.");
    }
    PropertyChange.Builder change = PropertyChange.builder().set(base.keys().paused(), reason);
    return new Act(
        change,
        paused == null ? null : "paused: " + paused,
        "paused: " + reason,
        base.until(),
        "The watermark stays at %s until the table is resumed. Data are committed as before, and evidence is kept."
            .formatted(at(base.until())));
  }

  static Act resume(Base base, long nowMillis) {
    String paused = base.watermark().pausedReason();
    String disabled = base.watermark().disabledReason();
    if (paused == null && disabled == null) {
      return Act.nothing(base, "The table is neither paused nor disabled.");
    }
    PropertyChange.Builder change =
        PropertyChange.builder().remove(base.keys().paused()).remove(base.keys().disabled());
    return new Act(
        change,
        disabled == null ? "paused: " + paused : "disabled: " + disabled,
        null,
        base.until(),
        "The watermark may move again. " + Outlook.of(base, base.known(), nowMillis));
  }

  /**
   * Puts the watermark to a time; null for none.
   *
   * @param hold why the table is paused by this; null to let the watermark move on
   */
  static Act reset(
      Base base, @Nullable Instant to, boolean force, @Nullable String hold, Instant now) {
    TidemarkKeys keys = base.keys();
    Instant until = base.until();
    refuseForward(base, to, force, now);
    PropertyChange.Builder change = PropertyChange.builder();
    String paused = base.watermark().pausedReason();
    Snapshot head = base.evidence().head();
    if (to == null) {
      change
          .remove(keys.finalizedUntil())
          .remove(keys.finalizedUntilMillis())
          .remove(keys.finalizedUntilSnapshotId())
          .remove(keys.finalizedUntilTableUuid());
    } else {
      change
          .set(keys.finalizedUntil(), to.toString())
          .set(keys.finalizedUntilMillis(), Long.toString(to.toEpochMilli()))
          .set(keys.finalizedUntilTableUuid(), base.metadata().uuid())
          .note(to.toString());
      if (head == null) {
        change.remove(keys.finalizedUntilSnapshotId());
      } else {
        change.set(keys.finalizedUntilSnapshotId(), Long.toString(head.snapshotId()));
      }
      boolean sinceKnown = base.properties().containsKey(keys.finalizedSince()) && !base.isClone();
      if (!sinceKnown) {
        change.set(keys.finalizedSince(), to.toString());
      }
    }
    keys.evidence(base.properties()).forEach(change::remove);
    change.set(keys.resetAt(), Instant.ofEpochMilli(now.toEpochMilli()).toString());
    if (hold != null) {
      change.set(keys.paused(), hold);
    }
    return new Act(
        change,
        "watermark "
            + (base.isClone() ? "of another table" : at(until))
            + (paused == null ? "" : ", paused: " + paused),
        "watermark " + at(to) + (hold == null ? "" : ", paused"),
        to,
        "The watermark is %s now, was %s. What was known before does not count any more. %s"
            .formatted(
                at(to),
                at(until),
                hold == null && paused == null
                    ? "It moves again once the policy has a whole lookback of commits from now on."
                    : "It stays there until the table is resumed."));
  }

  private static void refuseForward(Base base, @Nullable Instant to, boolean force, Instant now) {
    if (to == null) {
      return;
    }
    if (to.isAfter(now)) {
      throw new OperatorException(
          OperatorException.Kind.FORWARD,
          "Cannot reset the watermark of table %s to %s: that is in the future. Give a time that has passed."
              .formatted(base.table(), to));
    }
    Instant until = base.until();
    if (!force && (until == null || to.isAfter(until))) {
      throw new OperatorException(
          OperatorException.Kind.FORWARD,
          "Cannot reset the watermark of table %s forward, from %s to %s: no evidence says that everything before has come. Force it if you know."
              .formatted(base.table(), at(until), to));
    }
  }

  static Act addWriter(Base base, String writer, long nowMillis) {
    ImmutableSortedSet<String> before = base.known();
    ImmutableSortedSet<String> after =
        ImmutableSortedSet.<String>naturalOrder().addAll(before).add(writer).build();
    if (base.listed().contains(writer)) {
      return Act.nothing(base, "Writer %s is required already.".formatted(writer));
    }
    return writers(
        base,
        after,
        nowMillis,
        "Writer %s is required from now on: the watermark waits for its evidence, and does not move back."
            .formatted(writer));
  }

  static Act retireWriter(Base base, String writer, long nowMillis) {
    ImmutableSortedSet<String> required = base.known();
    if (!required.contains(writer)) {
      if ((base.evidence().writers().contains(writer)
          || base.evidence().committers().contains(writer))) {
        return Act.nothing(base, "Writer %s is not required.".formatted(writer));
      }
      throw new OperatorException(
          OperatorException.Kind.WRITER_UNKNOWN,
          "Cannot retire writer %s of table %s: the table knows no such writer. Name one of %s."
              .formatted(writer, base.table(), required));
    }
    ImmutableSortedSet<String> after =
        required.stream()
            .filter(name -> !name.equals(writer))
            .collect(ImmutableSortedSet.toImmutableSortedSet(String::compareTo));
    if (after.isEmpty()) {
      throw new OperatorException(
          OperatorException.Kind.LAST_WRITER,
          "Cannot retire writer %s of table %s: it is the last one, and nothing could move the watermark. Add its successor first, or disable the table."
              .formatted(writer, base.table()));
    }
    return writers(
        base,
        after,
        nowMillis,
        "The watermark does not wait for writer %s any more. What it still brings counts as late if it lies below."
            .formatted(writer));
  }

  private static Act writers(
      Base base, ImmutableSortedSet<String> after, long nowMillis, String effect) {
    return new Act(
        PropertyChange.builder().set(base.keys().writers(), Joiner.on(',').join(after)),
        "writers " + Joiner.on(',').join(base.known()),
        "writers " + Joiner.on(',').join(after),
        base.until(),
        "%s Required are %s. %s"
            .formatted(effect, Joiner.on(", ").join(after), Outlook.of(base, after, nowMillis)));
  }

  static Act disable(Base base, String reason, boolean force, long quietMillis, long nowMillis) {
    if (base.watermark().disabledReason() != null) {
      return Act.nothing(
          base, "The table is disabled already: " + base.watermark().disabledReason() + ".");
    }
    String active = force ? null : Activity.of(base).newestSince(nowMillis - quietMillis);
    if (active != null) {
      throw new OperatorException(
          OperatorException.Kind.IN_USE,
          "Cannot disable table %s: %s. Stop the pipeline first, or force it."
              .formatted(base.table(), active));
    }
    PropertyChange.Builder change = PropertyChange.builder();
    base.keys().opinions(base.properties()).forEach(change::remove);
    // Whatever moves watermarks honours a pause.
    change.set(base.keys().disabled(), reason).set(base.keys().paused(), "disabled: " + reason);
    return new Act(
        change,
        "watermark " + at(base.until()),
        "disabled",
        null,
        "Watermark, policy, writers and evidence are gone. Whoever waits for the table is told so at once. Records of what was committed stay, so that nothing is committed twice.");
  }

  static String at(@Nullable Instant time) {
    return time == null ? "none" : time.toString();
  }
}
