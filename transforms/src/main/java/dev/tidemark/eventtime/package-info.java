/**
 * Event time of rows: how it is read, and what is remembered about it.
 *
 * <p><b>Reading.</b> {@link dev.tidemark.eventtime.EventTimeExtractor} finds the event time of a
 * row by column, unit or format, zone and null policy. Values that are null, unparsable, or outside
 * of {@code [now - maxPast, now + maxFuture]} are counted, each kind apart, and never reach the
 * statistics.
 *
 * <p><b>Remembering.</b> {@link dev.tidemark.eventtime.EventTimeStats} is what one batch of rows
 * holds; its {@link dev.tidemark.eventtime.EventTimeSketch} has exact count, minimum, maximum and
 * counts below every boundary, and estimated quantiles, in a few hundred bytes however many rows.
 * {@link dev.tidemark.eventtime.CollectEventTimeFn} collects it. {@link
 * dev.tidemark.eventtime.CountDistinctFn} and {@link dev.tidemark.eventtime.CollectQuantilesFn} do
 * the same for the distinct values and the quantiles of any column.
 *
 * <p><b>Guarantees.</b> Event-time statistics and distinct counts merge commutatively and
 * associatively to the bit, over every order and tree; exact figures do not depend on how rows were
 * bundled, either. Estimated quantiles do, by less than their error. The quantiles of {@link
 * dev.tidemark.eventtime.CollectQuantilesFn} are randomised. Values are immutable and safe to
 * share; builders and accumulators belong to one thread.
 *
 * <p><b>Stored forms.</b> Every coder starts with a version byte, the text of a sketch with {@code
 * ets1:}. Readers refuse what is damaged, inconsistent, too long or of an unknown version, with an
 * error that never holds values of rows, and without reserving memory for what a header claims.
 *
 * <p><b>Metrics.</b> None: the counts are part of the statistics. Watch {@code unparsableCount} and
 * {@code futureCount}, both of which should be zero: a wrong unit or format shows up there, and a
 * clock that runs ahead.
 */
package dev.tidemark.eventtime;
