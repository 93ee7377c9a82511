package dev.tidemark.examples.benchmarks.basemerge;

import java.util.Locale;

/** What changed in the base table; each has a change table of its own. */
enum Shape {
  /** Some of the keys of every file. */
  UPDATES("1 % of the keys", 2),
  /** Keys of one partition. Spark is told which. */
  HOT("one partition", 2),
  /** New keys, which no file can hold. */
  INSERTS("inserts only", 2),
  /** Keys that go to another partition. */
  MOVES("keys that move", 2),
  /** As the first, with deletion vectors. */
  VECTORS("1 % of the keys, v3", 3);

  /** The partition whose keys are hot. */
  static final String HOT_REGION = "r07";

  private final String label;
  private final int formatVersion;

  Shape(String label, int formatVersion) {
    this.label = label;
    this.formatVersion = formatVersion;
  }

  String label() {
    return label;
  }

  int formatVersion() {
    return formatVersion;
  }

  /** Name of the base table. */
  String base() {
    return "orders_v" + formatVersion;
  }

  /** Name of the change table. */
  String changes() {
    return "changes_" + name().toLowerCase(Locale.ROOT);
  }

  /** What the base table remembers the change table by. */
  String source() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Condition on {@code b}, the base table, that somebody who knows the changes adds. */
  String condition() {
    return this == HOT ? " AND b.region = '" + HOT_REGION + "'" : "";
  }
}
