package dev.tidemark.examples.week;

import com.google.common.collect.ImmutableList;
import java.util.Locale;

/** Where changes come from; each region has a pipeline and a writer id of its own. */
enum Region {
  EU(0),
  US(1),
  ASIA(2),
  SA(3);

  private static final ImmutableList<Region> TURNS = ImmutableList.copyOf(values());

  private final int number;

  Region(int number) {
    this.number = number;
  }

  /** Regions take turns, day by day. */
  static Region ofDay(int day) {
    return TURNS.get(day % TURNS.size());
  }

  /** From 0 on. */
  int number() {
    return number;
  }

  String writerId() {
    return name().toLowerCase(Locale.ROOT);
  }
}
