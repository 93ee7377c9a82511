package dev.tidemark.report;

import java.time.Instant;

/**
 * A move of the watermark.
 *
 * @param at when it was made
 * @param watermark where it stood from then on
 */
public record WatermarkStep(Instant at, Instant watermark) {}
