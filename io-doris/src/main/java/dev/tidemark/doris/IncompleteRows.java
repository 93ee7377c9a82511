package dev.tidemark.doris;

import dev.tidemark.change.ChangeKind;
import java.util.Set;
import java.util.stream.Collectors;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Changes of which the source did not tell all columns. */
final class IncompleteRows {
  private IncompleteRows() {}

  /** Why a change without these columns cannot be written; null if it can. */
  static @Nullable String problem(
      DorisTable table, WriteSettings settings, ChangeKind kind, Set<String> unknown) {
    if (kind.adds()) {
      return String.format(
          "%s does not tell columns %s, and would set them to null. Let the source tell them"
              + " (PostgreSQL: REPLICA IDENTITY FULL), or fill them in before",
          kind.symbol(), unknown);
    }
    String sequence = settings.rules().sequenceColumn();
    Set<String> missing =
        unknown.stream()
            .filter(
                column ->
                    column.equalsIgnoreCase(sequence)
                        || table.key().stream().anyMatch(column::equalsIgnoreCase))
            .collect(Collectors.toSet());
    return missing.isEmpty()
        ? null
        : String.format(
            "%s does not tell columns %s of key or sequence. Let the source tell them",
            kind.symbol(), missing);
  }
}
