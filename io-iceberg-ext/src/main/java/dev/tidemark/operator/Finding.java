package dev.tidemark.operator;

import com.google.auto.value.AutoValue;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Something that an examination of a table found. */
@AutoValue
public abstract class Finding {
  /** How bad it is, the least first. */
  public enum Severity {
    /** As it should be. */
    OK,
    /** Worth knowing. */
    INFO,
    /** It may become a problem, or is one for some readers. */
    WARNING,
    /** Answers are wrong or missing, or the watermark cannot move. */
    ERROR
  }

  /** How bad it is. */
  public abstract Severity severity();

  /** What was looked at, in kebab-case. */
  public abstract String check();

  /** What was found, in one sentence. */
  public abstract String message();

  /** What to do about it; null if nothing is to be done. */
  public abstract @Nullable String remedy();

  static Finding ok(String check, String message) {
    return new AutoValue_Finding(Severity.OK, check, message, null);
  }

  static Finding info(String check, String message) {
    return new AutoValue_Finding(Severity.INFO, check, message, null);
  }

  static Finding warning(String check, String message, String remedy) {
    return new AutoValue_Finding(Severity.WARNING, check, message, remedy);
  }

  static Finding error(String check, String message, String remedy) {
    return new AutoValue_Finding(Severity.ERROR, check, message, remedy);
  }
}
