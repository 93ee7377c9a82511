package dev.tidemark.eventtime;

/** A row has no event time although {@link NullPolicy#REJECT} asks for one. */
public final class MissingEventTimeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MissingEventTimeException(String column) {
    super(
        String.format(
            "Cannot read event time of column %s: the value is null."
                + " Send such rows elsewhere, or use NullPolicy.COUNT.",
            column));
  }
}
