package dev.tidemark.finalization;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableMap;
import java.util.Objects;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What becomes of a table's watermark, and why. */
@AutoValue
public abstract class Advance {

  /** The watermark before; null where there was none. */
  public abstract @Nullable Long beforeMillis();

  /** The watermark after, never before {@link #beforeMillis()}; null where there is still none. */
  public abstract @Nullable Long afterMillis();

  /**
   * From where on the table's facts cover it: the first watermark it ever had, which by itself
   * finalizes nothing. Null where there is no watermark yet. Stored once, together with the first
   * watermark.
   */
  public abstract @Nullable Long sinceMillis();

  /** One sentence for people. */
  public abstract String reason();

  /** What the policy made of each required writer. */
  public abstract ImmutableMap<String, Decision> perWriter();

  /** Whether there is a new watermark to store. */
  public final boolean moved() {
    return !Objects.equals(beforeMillis(), afterMillis());
  }

  /** Whether the evidence of some required writer was not enough. */
  public final boolean isWaiting() {
    return perWriter().isEmpty() || perWriter().values().stream().anyMatch(Decision::isWait);
  }

  static Advance of(
      @Nullable Long beforeMillis,
      @Nullable Long afterMillis,
      @Nullable Long sinceMillis,
      String reason,
      ImmutableMap<String, Decision> perWriter) {
    return new AutoValue_Advance(beforeMillis, afterMillis, sinceMillis, reason, perWriter);
  }
}
