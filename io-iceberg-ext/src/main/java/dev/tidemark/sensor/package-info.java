/**
 * The sensor: tells whether a stretch of event time in an Iceberg table is complete, and waits for
 * it. For schedulers and downstream jobs; needs no Beam.
 *
 * <pre>{@code
 * Finalization finalization = Finalization.of(catalog, TableIdentifier.of("db", "events"));
 * EventTimeRange hour = finalization.partition("2026-01-01-05");
 * FinalizationStatus status =
 *     finalization.await(hour, Duration.ofHours(2), Duration.ofSeconds(30));
 * if (status.isFinalized()) {
 *   read(status.snapshotId());
 * }
 * }</pre>
 *
 * <h2>What an answer means</h2>
 *
 * <p>A table is <em>finalized until</em> W: no record with an event time before W is expected any
 * more. Ranges are half-open, times are instants. Each answer is made from one metadata version and
 * names the snapshot to read: the head of the branch in that version, which that version retains,
 * and which holds everything the answer speaks of. On a base table that changes are merged into, W
 * means that every change before W is applied.
 *
 * <ul>
 *   <li>{@code FINALIZED}: the range is covered by facts and ends at or before W.
 *   <li>{@code NOT_YET}: it ends after W, or there is no W.
 *   <li>{@code NOT_COVERED}: it begins before the table's facts do. Waiting does not help.
 *   <li>{@code INVALIDATED}: the branch does not descend any more from the snapshot whose evidence
 *       moved W, as after a rollback. It counts again once W has moved.
 * </ul>
 *
 * <p>Where snapshot expiry removed that snapshot, the answer is valid, and {@linkplain
 * dev.tidemark.sensor.FinalizationStatus#verified() unverified}. Properties copied from another
 * table (a clone) are refused until a writer of the table itself has moved W.
 *
 * <p>Where an operator disabled the table, the question is refused, so that nobody waits for it.
 *
 * <p>Questions about several tables go together in {@link dev.tidemark.sensor.Finalizations}. What
 * other writers say of a table is read by {@linkplain dev.tidemark.sensor.Signal signals}, each
 * with its caveat.
 *
 * <p>A finalized range can still get late records. {@link dev.tidemark.sensor.Finalization#late}
 * lists what the retained snapshots tell about them.
 *
 * <h2>Clocks</h2>
 *
 * <p>Nothing but the timeout of a wait and the lag in a report depends on a clock.
 */
package dev.tidemark.sensor;
