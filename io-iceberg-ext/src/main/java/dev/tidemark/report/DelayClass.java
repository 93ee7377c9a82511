package dev.tidemark.report;

/**
 * Records by how many hours after its own hour a record was committed: 0 in the same hour of the
 * clock, 1 in the next one. Exact, since facts count records by the hour.
 *
 * @param fromHours at least so many; {@code Long.MIN_VALUE} for records ahead of the clock
 * @param belowHours and fewer than so many; {@code Long.MAX_VALUE} for the last class
 * @param records all of them
 * @param late those of them that were below the watermark
 */
public record DelayClass(long fromHours, long belowHours, long records, long late) {}
