package dev.tidemark.cli;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.OperatorAct;

/** What operators did, for people. */
final class Operations {
  private Operations() {}

  /** A table with an empty line before it; nothing if nobody did anything. */
  static String text(ImmutableList<OperatorAct> acts) {
    if (acts.isEmpty()) {
      return "";
    }
    TextTable table = TextTable.headed("WHEN", "WHO", "DID", "BEFORE", "AFTER", "WHY");
    for (OperatorAct act : acts) {
      table.row(
          act.at().toString(),
          act.by(),
          act.verb(),
          TextTable.cell(act.before()),
          TextTable.cell(act.after()),
          act.reason());
    }
    return "%n%n".formatted() + table.text();
  }
}
