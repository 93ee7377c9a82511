package dev.tidemark.commit;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What an operator did to a branch's watermark, or to what it rests on. */
@AutoValue
public abstract class OperatorAct {
  static final int MAX_WHO_CHARS = 64;
  static final int MAX_REASON_CHARS = 400;
  private static final int MAX_VALUE_CHARS = 400;

  /** What was done: the verb of the command line, such as {@code reset}. */
  public abstract String verb();

  /** When, by the clock of whoever did it. */
  public abstract Instant at();

  /** Who. */
  public abstract String by();

  /** Why. */
  public abstract String reason();

  /** What was there before; null if nothing was. */
  public abstract @Nullable String before();

  /** What is there since; null if nothing is. */
  public abstract @Nullable String after();

  /**
   * An act.
   *
   * @throws IllegalArgumentException unless somebody (1 to 64 characters) gives a reason (1 to 400)
   *     on one line each
   */
  public static OperatorAct of(
      String verb,
      Instant at,
      String by,
      String reason,
      @Nullable String before,
      @Nullable String after) {
    return new AutoValue_OperatorAct(
        verb,
        Instant.ofEpochMilli(at.toEpochMilli()),
        line("name of the operator", by, MAX_WHO_CHARS),
        line("reason", reason, MAX_REASON_CHARS),
        cut(before),
        cut(after));
  }

  private static String line(String what, String text, int max) {
    String stripped = text.strip();
    if (stripped.isEmpty()
        || stripped.length() > max
        || stripped.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "Invalid %s: %d characters (must be 1 to %d on one line)"
              .formatted(what, stripped.length(), max));
    }
    return stripped;
  }

  /** What is recorded must not make the record overflow. */
  private static @Nullable String cut(@Nullable String value) {
    return value == null || value.length() <= MAX_VALUE_CHARS
        ? value
        : value.substring(0, MAX_VALUE_CHARS - 3) + "...";
  }
}
