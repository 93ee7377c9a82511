package dev.tidemark.operator;

import dev.tidemark.commit.PropertyChange;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What an act comes to on one base.
 *
 * @param change what is to be written; empty if nothing is
 * @param before what is recorded as what was there
 * @param after what is recorded as what is there since
 * @param until the watermark after
 * @param effect what it means
 */
record Act(
    PropertyChange.Builder change,
    @Nullable String before,
    @Nullable String after,
    @Nullable Instant until,
    String effect) {

  /** Nothing is to be done. */
  static Act nothing(Base base, String effect) {
    return new Act(PropertyChange.builder(), null, null, base.until(), effect);
  }
}
