package dev.tidemark.change;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableMap;
import java.io.Serializable;
import java.time.temporal.ChronoUnit;
import org.checkerframework.checker.nullness.qual.Nullable;

/** How a column's value is written in JSON, as far as its Beam type does not tell. */
@AutoValue
abstract class Encoding implements Serializable {
  /** Unit of times and timestamps that come as numbers. */
  abstract ChronoUnit timeUnit();

  /**
   * Whether a decimal that comes as a string is plain digits; otherwise it is base64 of the
   * unscaled value.
   */
  abstract boolean decimalsAsText();

  /** Scale of base64 decimals, or null if it is not known. */
  abstract @Nullable Integer scale();

  /** For structs: the fields that are written in another way than this. */
  abstract ImmutableMap<String, Encoding> fields();

  static Encoding of(ChronoUnit timeUnit, boolean decimalsAsText, @Nullable Integer scale) {
    return new AutoValue_Encoding(timeUnit, decimalsAsText, scale, ImmutableMap.of());
  }

  static Encoding ofStruct(ImmutableMap<String, Encoding> fields) {
    return new AutoValue_Encoding(ChronoUnit.MICROS, false, null, fields);
  }

  Encoding ofField(String name) {
    return fields().getOrDefault(name, this);
  }
}
