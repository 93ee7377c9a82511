package dev.tidemark.operator;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.time.Duration;
import java.time.Instant;

/** Whether the writers that the watermark waits for are there. */
final class WriterChecks {
  private static final String CHECK = "writers";

  private WriterChecks() {}

  static ImmutableList<Finding> of(Base base, Instant now, Duration silentAfter) {
    ImmutableSet<String> listed;
    try {
      listed = base.listed();
    } catch (OperatorException e) {
      // The checks of keys have found it.
      return ImmutableList.of();
    }
    Activity activity = Activity.of(base);
    ImmutableList.Builder<Finding> findings = ImmutableList.builder();
    for (String writer : base.required()) {
      findings.add(required(activity, writer, now, silentAfter));
    }
    for (String writer : activity.lastMillis().keySet()) {
      boolean recent = age(activity, writer, now).compareTo(silentAfter) < 0;
      if (!listed.isEmpty() && !listed.contains(writer) && recent) {
        findings.add(
            Finding.warning(
                CHECK,
                "Writer %s writes, and is not required: the watermark does not wait for it"
                    .formatted(writer),
                "Add it, unless its records may be late."));
      }
    }
    ImmutableList<Finding> found = findings.build();
    return found.isEmpty() ? ImmutableList.of(Finding.info(CHECK, "No writer is known")) : found;
  }

  private static Finding required(
      Activity activity, String writer, Instant now, Duration silentAfter) {
    if (!activity.lastMillis().containsKey(writer)) {
      return Finding.error(
          CHECK,
          "Writer %s is required, and was never heard of: the watermark waits for it"
              .formatted(writer),
          "Start it, or retire it.");
    }
    Duration age = age(activity, writer, now);
    if (age.compareTo(silentAfter) >= 0) {
      return Finding.warning(
          CHECK,
          "Writer %s went silent: it was last heard of at %s, %s ago"
              .formatted(writer, now.minus(age), Duration.ofSeconds(age.toSeconds())),
          "Look at its pipeline. Retire the writer if it is gone for good.");
    }
    return Finding.ok(CHECK, "Writer %s was heard of at %s".formatted(writer, now.minus(age)));
  }

  private static Duration age(Activity activity, String writer, Instant now) {
    Long last = activity.lastMillis().get(writer);
    return last == null
        ? Duration.between(Instant.EPOCH, now)
        : Duration.between(Instant.ofEpochMilli(last), now);
  }
}
