package dev.tidemark.doris;

/** Why a bounded input is not appended. */
final class BoundedAppends {
  private BoundedAppends() {}

  /** Without checkpoints a repeated bundle loads its rows again. */
  static IllegalArgumentException refusal(DorisTable table, String keysType) {
    return new IllegalArgumentException(
        String.format(
            "Cannot write a bounded input to table %s: its model is %s, and a bundle that the runner"
                + " repeats would append its rows twice. Write to a table with UNIQUE KEY, or run the"
                + " pipeline with --streaming",
            table, keysType));
  }
}
