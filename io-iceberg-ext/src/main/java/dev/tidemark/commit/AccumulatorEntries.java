package dev.tidemark.commit;

import java.util.List;
import java.util.Map;

/** Merges what accumulators put into results, and says how it reads in a snapshot summary. */
@FunctionalInterface
public interface AccumulatorEntries {
  /**
   * Summary entries of these results. A key is {@code <accumulator>.<entry>} and is stored beneath
   * {@code tidemark.acc.}. Called on every attempt, with the results that the attempt commits.
   */
  Map<String, String> entries(List<WriterResult> results);
}
