package dev.tidemark.commit;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSortedSet;
import java.util.SortedSet;
import java.util.regex.Pattern;

/** Sequences as people read them: {@code 5-8,10}. */
final class SequenceRanges {
  private static final Pattern TEXT =
      Pattern.compile("\\d{1,18}(-\\d{1,18})?(,\\d{1,18}(-\\d{1,18})?)*");

  private SequenceRanges() {}

  static String toText(SortedSet<Long> sequences) {
    StringBuilder text = new StringBuilder();
    long first = 0;
    long last = -1;
    for (long sequence : sequences) {
      if (sequence == last + 1 && last >= 0) {
        last = sequence;
        continue;
      }
      append(text, first, last);
      first = sequence;
      last = sequence;
    }
    append(text, first, last);
    return text.toString();
  }

  private static void append(StringBuilder text, long first, long last) {
    if (last < 0) {
      return;
    }
    text.append(text.isEmpty() ? "" : ",").append(first);
    if (last > first) {
      text.append('-').append(last);
    }
  }

  /** Whether the ranges hold a sequence; false for a text that is none. */
  static boolean contains(String text, long sequence) {
    if (TEXT.matcher(text).matches()) {
      for (String range : Splitter.on(',').split(text)) {
        int dash = range.indexOf('-');
        long first = Long.parseLong(dash < 0 ? range : range.substring(0, dash));
        long last = dash < 0 ? first : Long.parseLong(range.substring(dash + 1));
        if (first <= sequence && sequence <= last) {
          return true;
        }
      }
    }
    return false;
  }

  /** The highest sequence of the ranges; 0 for a text that is none. */
  static long last(String text) {
    return TEXT.matcher(text).matches()
        ? Long.parseLong(text.substring(Math.max(text.lastIndexOf('-'), text.lastIndexOf(',')) + 1))
        : 0;
  }

  static ImmutableSortedSet<Long> of(Iterable<WriterResult> results) {
    ImmutableSortedSet.Builder<Long> sequences = ImmutableSortedSet.naturalOrder();
    results.forEach(result -> sequences.add(result.sequence()));
    return sequences.build();
  }
}
