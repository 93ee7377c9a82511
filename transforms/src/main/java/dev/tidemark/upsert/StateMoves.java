package dev.tidemark.upsert;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import java.io.Serializable;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Which exported state a stage begins with, and where it exports its own. */
@AutoValue
abstract class StateMoves implements Serializable {
  static final StateMoves NONE = of(null, null, null);

  StateMoves() {}

  /** The directory of the export to begin with; null to begin with nothing. */
  abstract @Nullable String from();

  /** The number of that export, once it is known. */
  abstract @Nullable String fromId();

  /** The directory to export to at the end of the input; null for nowhere. */
  abstract @Nullable String to();

  private static StateMoves of(
      @Nullable String from, @Nullable String fromId, @Nullable String to) {
    return new AutoValue_StateMoves(from, fromId, to);
  }

  StateMoves withFrom(String directory) {
    checkArgument(!directory.isEmpty(), "Invalid directory of initial state: it must not be empty");
    return of(directory, null, to());
  }

  StateMoves withTo(String directory) {
    checkArgument(!directory.isEmpty(), "Invalid directory of an export: it must not be empty");
    return of(from(), fromId(), directory);
  }

  boolean any() {
    return from() != null || to() != null;
  }

  /** Looks at both directories. Refuses an export that does not fit, and to write over one. */
  StateMoves resolve(CandidateSettings settings) {
    String id = fromId();
    if (from() != null) {
      StateManifest manifest = StateDirectory.of(from()).readManifest();
      manifest.checkFits(from(), settings);
      id = manifest.id();
    }
    if (to() != null) {
      StateDirectory.of(to()).checkNoExport();
    }
    return of(from(), id, to());
  }
}
