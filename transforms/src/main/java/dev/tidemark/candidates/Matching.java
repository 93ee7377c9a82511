package dev.tidemark.candidates;

import java.util.Arrays;

/**
 * Which identities are equal. All are compared as bytes, except those of upsert keys with
 * floating-point fields, which strategies compare as fields or as bytes, see {@link
 * UpsertSemantics#floatKey}. What is compared is the <em>match</em>, a slice of the identity.
 */
final class Matching {
  private final boolean hasUpsertKey;
  private final boolean floatKey;
  private final boolean nanNeverEqual;
  private final boolean fieldsWhenInline;
  private final boolean fieldsWhenLinked;
  private final int code;

  private Matching(UpsertSemantics semantics) {
    this.hasUpsertKey = semantics.hasUpsertKey();
    this.floatKey = semantics.floatKey();
    this.nanNeverEqual = semantics.nanNeverEqual();
    UpsertStrategy strategy = semantics.strategy();
    this.fieldsWhenInline = strategy != UpsertStrategy.MAP;
    this.fieldsWhenLinked = fieldsWhenInline && strategy != UpsertStrategy.ADAPTIVE;
    this.code =
        !hasUpsertKey
            ? 0
            : !floatKey
                ? 1
                : 2
                    + (fieldsWhenInline ? 1 : 0)
                    + (fieldsWhenLinked ? 2 : 0)
                    + (nanNeverEqual && !fieldsWhenLinked ? 4 : 0);
  }

  static Matching of(UpsertSemantics semantics) {
    return new Matching(semantics);
  }

  /** State is bound to this number: records of another matching would be searched in vain. */
  int code() {
    return code;
  }

  /** How identities of a code are compared. */
  static String describe(int code) {
    return switch (code) {
      case 0 -> "as whole rows";
      case 1 -> "by their bytes";
      default ->
          "as "
              + (code - 2 >= 4 ? "a store in memory" : "a store on files")
              + " does it under strategy "
              + switch ((code - 2) & 3) {
                case 0 -> "MAP";
                case 1 -> "ADAPTIVE";
                default -> "LEGACY or VALUE";
              };
    };
  }

  boolean hasUpsertKey() {
    return hasUpsertKey;
  }

  boolean equal(Candidate a, Candidate b, boolean linked) {
    if (floatKey) {
      return !never(a, linked)
          && !never(b, linked)
          && equal(a, matchOffset(a, linked), matchEnd(a, linked), b, linked);
    }
    return a.identityLength == b.identityLength
        && Arrays.equals(
            a.source,
            a.identityOffset,
            a.identityOffset + a.identityLength,
            b.source,
            b.identityOffset,
            b.identityOffset + b.identityLength);
  }

  private boolean equal(Candidate a, int aFrom, int aTo, Candidate b, boolean linked) {
    return Arrays.equals(
        a.source, aFrom, aTo, b.source, matchOffset(b, linked), matchEnd(b, linked));
  }

  /** Refuses an identity of a change that could not be compared later. */
  void check(Candidate incoming) {
    if (floatKey) {
      try {
        hasNan(incoming);
        normalised(incoming);
      } catch (CorruptStateException e) {
        throw new IllegalArgumentException(
            "Cannot match change: its identity has not the form of a floating-point upsert key."
                + " Encode it as UpsertSemantics.floatKey says.",
            e);
      }
    }
  }

  /** Whether an identity equals nothing, not even itself. */
  boolean never(Candidate candidate, boolean linked) {
    return floatKey && (fields(linked) || nanNeverEqual) && hasNan(candidate);
  }

  /** Where the match of a candidate begins. */
  int matchOffset(Candidate candidate, boolean linked) {
    return floatKey && fields(linked)
        ? (int) (normalised(candidate) >>> 32)
        : candidate.identityOffset;
  }

  /** Where the match of a candidate ends. */
  int matchEnd(Candidate candidate, boolean linked) {
    return floatKey && fields(linked)
        ? (int) normalised(candidate)
        : candidate.identityOffset + candidate.identityLength;
  }

  private boolean fields(boolean linked) {
    return linked ? fieldsWhenLinked : fieldsWhenInline;
  }

  private static boolean hasNan(Candidate candidate) {
    byte nan = candidate.identityLength == 0 ? -1 : candidate.source[candidate.identityOffset];
    if (nan != 0 && nan != 1) {
      throw malformed();
    }
    return nan == 1;
  }

  /** Begin and end of the normalised form, in the upper and the lower half. */
  private static long normalised(Candidate candidate) {
    byte[] source = candidate.source;
    int end = candidate.identityOffset + candidate.identityLength;
    int at = candidate.identityOffset + 1;
    long length = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      if (at >= end) {
        throw malformed();
      }
      byte next = source[at++];
      length |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        if (length > end - at) {
          throw malformed();
        }
        return (long) at << 32 | (at + length);
      }
    }
    throw malformed();
  }

  private static CorruptStateException malformed() {
    return RecordReader.corrupt("identity", "it has not the form of a floating-point upsert key");
  }
}
