/**
 * The commit protocol and the advance protocol on Iceberg tables. Plain Iceberg: no Beam in here.
 *
 * <h2>Commits</h2>
 *
 * <p>{@link dev.tidemark.commit.CommitProtocol} puts files, facts (snapshot summary) and the
 * protocol's memory (table properties) into one compare-and-swap. A result is identified by writer,
 * table, sequence and the digest of its file paths; what a table holds of a writer is recorded in
 * properties, which survive the expiry of snapshots, and is checked against the ancestry of the
 * head on every attempt, so that a branch that was moved back takes its results again. Guarantees,
 * on every catalog whose commit is atomic:
 *
 * <ul>
 *   <li>a result is in the branch once, however often and in whatever grouping it is handed over;
 *   <li>results of a writer are in the branch in order and without gaps, or the commit is refused;
 *   <li>a file that may be live is never deleted, whatever the catalog answered.
 * </ul>
 *
 * <p>{@link dev.tidemark.commit.RewindPolicy#ACCEPT} gives up the first two where somebody decided
 * so.
 *
 * <p>A Hadoop catalog compares version numbers only: a table that is dropped, or dropped and
 * created again, in the moment of a commit is not told apart there, and the old table comes back.
 * Do not drop tables of such a catalog under a running pipeline.
 *
 * <h2>Advances</h2>
 *
 * <p>{@link dev.tidemark.commit.AdvanceProtocol} moves the watermark by the stored evidence. It
 * never moves it back, in any metadata version, under concurrent writers on any catalog ({@link
 * dev.tidemark.commit.FencedProperties}).
 *
 * <h2>Keys</h2>
 *
 * <p>{@link dev.tidemark.commit.TidemarkKeys} owns the names. Stored texts start with their
 * version: {@code o1:} acts of operators, {@code c1:} committed record, {@code b1:} batch record,
 * {@code a1:} attestation, {@code w1:} window, {@code ets1:} sketch.
 *
 * <h2>Maintenance</h2>
 *
 * <p>Expiring snapshots takes nothing from the protocol. Attempts that lost may leave manifests
 * behind where the catalog's answer does not prove that they are dead; removing orphan files takes
 * them. Properties starting with {@code tidemark.} must not be edited by hand, except {@code
 * tidemark.paused} and {@code tidemark.writers}, nor copied to another table (copies are recognised
 * by the table's UUID and ignored).
 */
package dev.tidemark.commit;
