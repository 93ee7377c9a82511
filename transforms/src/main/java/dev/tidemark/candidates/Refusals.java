package dev.tidemark.candidates;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.List;

/** What is said where a setting is not the one that state was written with. */
final class Refusals {
  /** Between the parts of a description, each of which begins with the name of a setting. */
  private static final String PARTS = "; ";

  private Refusals() {}

  /** Names the parts of the descriptions that differ. */
  static CorruptStateException ofDescription(String before, String now) {
    List<String> stored = Splitter.on(PARTS).splitToList(before);
    List<String> given = Splitter.on(PARTS).splitToList(now);
    if (stored.size() != given.size()) {
      return refused(before, now);
    }
    List<String> storedOnly = new ArrayList<>();
    List<String> givenOnly = new ArrayList<>();
    for (int i = 0; i < stored.size(); i++) {
      if (!stored.get(i).equals(given.get(i))) {
        storedOnly.add(stored.get(i));
        givenOnly.add(given.get(i));
      }
    }
    return refused(Joiner.on(PARTS).join(storedOnly), Joiner.on(PARTS).join(givenOnly));
  }

  private static CorruptStateException refused(String before, String now) {
    return new CorruptStateException(
        "Cannot use stored candidates: they belong to ["
            + before
            + "], and the transform is now ["
            + now
            + "]. Configure it as before, or begin with new state.");
  }

  /** Names the ways of comparing upsert keys, see {@link Matching#code}. */
  static CorruptStateException ofMatching(int before, int now) {
    return new CorruptStateException(
        "Cannot use stored candidates: their upsert keys were compared "
            + Matching.describe(before)
            + ", and are now compared "
            + Matching.describe(now)
            + ". Set strategy and kind of store as before, or begin with new state.");
  }
}
