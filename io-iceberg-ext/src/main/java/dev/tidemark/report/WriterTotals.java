package dev.tidemark.report;

import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What one writer brought.
 *
 * @param writer the writer
 * @param required whether the watermark needs its evidence
 * @param commits its commits
 * @param records their records with a usable event time
 * @param lateCommits those of the commits with late records
 * @param late their late records
 * @param newest its newest commit; null if there is none
 */
public record WriterTotals(
    String writer,
    boolean required,
    int commits,
    long records,
    int lateCommits,
    LateCount late,
    @Nullable Instant newest) {}
