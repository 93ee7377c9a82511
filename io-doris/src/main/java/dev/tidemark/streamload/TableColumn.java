package dev.tidemark.streamload;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A visible column, as the frontend describes it. It tells neither which columns are keys nor how
 * many digits the seconds of a DATETIME have.
 */
@AutoValue
public abstract class TableColumn implements Serializable {
  private static final long serialVersionUID = 1L;

  TableColumn() {}

  /** The name in the table's spelling. */
  public abstract String name();

  /** The type in upper case, for example {@code DATETIMEV2} or {@code DECIMAL64}. */
  public abstract String type();

  /** Digits of a decimal, or null where the frontend names none. */
  public abstract @Nullable Integer precision();

  /** Digits behind a decimal's point, or null where the frontend names none. */
  public abstract @Nullable Integer scale();

  /** Whether it may be null, or null if this version of Doris does not say. */
  public abstract @Nullable Boolean nullable();

  /** How equal keys are aggregated; empty for keys and where Doris does not say. */
  public abstract String aggregation();

  /** A column; {@code type} is in upper case. */
  public static TableColumn of(
      String name,
      String type,
      @Nullable Integer precision,
      @Nullable Integer scale,
      @Nullable Boolean nullable,
      String aggregation) {
    return new AutoValue_TableColumn(name, type, precision, scale, nullable, aggregation);
  }
}
