package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;

/**
 * The staircase of a watermark.
 *
 * @param entries the snapshots, oldest first
 * @param cut whether the branch has older snapshots, retained or expired, that are not among them
 * @param unreadableFiles how many metadata files were looked for and could not be read
 */
public record FinalizationHistory(
    ImmutableList<HistoryEntry> entries, boolean cut, int unreadableFiles) {}
