package dev.tidemark.doris;

import com.google.auto.value.AutoValue;
import dev.tidemark.streamload.PreCommitted;

/** A load that waits for its commit. */
@AutoValue
abstract class PreCommittedLoad {
  abstract PreCommitted transaction();

  abstract long deletes();

  static PreCommittedLoad of(PreCommitted transaction, long deletes) {
    return new AutoValue_PreCommittedLoad(transaction, deletes);
  }
}
