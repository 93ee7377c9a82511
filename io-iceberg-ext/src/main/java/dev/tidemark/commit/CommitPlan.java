package dev.tidemark.commit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What one base lacks of a request.
 *
 * @param missing results to commit, by ascending sequence
 * @param done results that this base holds, by where they landed, oldest first
 * @param refused results written for another table, left out
 * @param orphans files of a batch that lost; null if they cannot be told
 * @param acceptedRewind whether something is committed although it does not follow what the base
 *     holds
 * @param recorder makes the record of the table after the commit
 */
record CommitPlan(
    ImmutableList<WriterResult> missing,
    ImmutableListMultimap<Landing, WriterResult> done,
    ImmutableList<WriterResult> refused,
    @Nullable ImmutableList<String> orphans,
    boolean acceptedRewind,
    Recorder recorder) {

  /** The record of what the table holds once the missing results have landed. */
  @FunctionalInterface
  interface Recorder {
    String text(Landing landing, long nowMillis);
  }

  ImmutableList<String> refusedFiles() {
    return refused.stream()
        .flatMap(result -> result.files().stream())
        .map(file -> file.location())
        .collect(ImmutableList.toImmutableList());
  }
}
