package dev.tidemark.sensor;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import dev.tidemark.finalization.CommitFacts;

/**
 * All that is still stored of how a branch came about.
 *
 * <p>What the metadata files that are left say is complete. Before the oldest of them only the
 * snapshots of that one are known, by their summaries.
 *
 * @param report the newest state
 * @param points the states, oldest first
 * @param earlier facts of commits before the first point, by writer and oldest first, as far as the
 *     writer's window still had them
 * @param cut whether there were snapshots before the first point
 * @param unreadableFiles how many metadata files were looked for and could not be read
 */
public record FinalizationTimeline(
    FinalizationReport report,
    ImmutableList<TimelinePoint> points,
    ImmutableListMultimap<String, CommitFacts> earlier,
    boolean cut,
    int unreadableFiles) {}
