package dev.tidemark.upsert;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.change.ChangeKind;
import java.io.Serializable;
import java.util.Set;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What a change has to tell to be materialized. */
final class Completeness implements Serializable {
  private final ImmutableSet<String> required;
  private final boolean upsertKey;

  private Completeness(ImmutableSet<String> required, boolean upsertKey) {
    this.required = required;
    this.upsertKey = upsertKey;
  }

  static Completeness of(UpsertEncodings encodings, ChangeOrder order) {
    return new Completeness(encodings.required(order), encodings.upsertKey() != null);
  }

  /** Why a change that does not tell some columns cannot be processed; null if it can. */
  @Nullable String problem(ChangeKind kind, Set<String> unknownColumns) {
    if (kind.adds()) {
      return String.format(
          "%s does not tell columns %s, and an addition has to tell the whole row. Let the source tell it (PostgreSQL: REPLICA IDENTITY FULL), or fill them in before",
          kind.symbol(), unknownColumns);
    }
    ImmutableList<String> missing =
        required.stream().filter(unknownColumns::contains).collect(ImmutableList.toImmutableList());
    if (missing.isEmpty()) {
      return null;
    }
    return String.format(
        "%s does not tell columns %s. %s",
        kind.symbol(),
        missing,
        upsertKey
            ? "A retraction has to tell sink key, upsert key and sequence column: let the source tell them (PostgreSQL: REPLICA IDENTITY USING INDEX or FULL)"
            : "Without an upsert key a retraction has to tell the whole row: declare one with withUpsertKey(...), or let the source tell it (PostgreSQL: REPLICA IDENTITY FULL)");
  }
}
