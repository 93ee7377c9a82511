package dev.tidemark.upsert;

import com.google.auto.value.AutoValue;
import java.io.Serializable;

/** When a batch leaves. */
@AutoValue
abstract class BatchLimits implements Serializable {
  BatchLimits() {}

  abstract int rows();

  abstract int bytes();

  abstract long ageMillis();

  static BatchLimits of(int rows, int bytes, long ageMillis) {
    return new AutoValue_BatchLimits(rows, bytes, ageMillis);
  }
}
