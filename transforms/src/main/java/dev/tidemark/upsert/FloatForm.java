package dev.tidemark.upsert;

/** Which floating-point numbers are written alike. */
enum FloatForm {
  /** None: all bits count. */
  EXACT,
  /** All NaN, as Flink does in arrays and maps. */
  ONE_NAN,
  /** -0.0 as 0.0, which are equal as numbers. */
  ONE_ZERO
}
