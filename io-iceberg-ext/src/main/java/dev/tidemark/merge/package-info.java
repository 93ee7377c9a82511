/**
 * Merges change tables into base tables: the rows as they are now, with the watermark that says how
 * far. Plain Iceberg: no Beam in here.
 *
 * <h2>Contract</h2>
 *
 * <p>{@link dev.tidemark.merge.BaseTableMerge} takes over what was appended to its change tables
 * since it ran last. Guarantees, on every catalog whose commit is atomic:
 *
 * <ul>
 *   <li>a base table holds, for each key, what the last change says of all changes merged so far;
 *   <li>changes, the place in each source, and the watermark are one commit. W on a base table says
 *       that every change with an event time before W is applied. It is the watermark of the very
 *       metadata version whose changes were read, with several sources the minimum; it never moves
 *       back other than by a rebuild. Partitions are not immutable: later changes may be in;
 *   <li>a merge that is repeated, by any process, takes nothing twice;
 *   <li>what other writers do to the base table between plan and commit is found out, and planned
 *       for anew;
 *   <li>a file that may be live is never deleted, whatever the catalog answered.
 * </ul>
 *
 * <h2>Order</h2>
 *
 * <p>The order columns decide, see {@link dev.tidemark.merge.MergeSpec#withOrder}, whatever order
 * changes arrive in: one that comes before a change merged already is left out. The change tables
 * remember what was merged; their files are looked at only where they can hold something later.
 *
 * <h2>What is read</h2>
 *
 * <p>Of the change table the files appended in the range, and of files merged before those that can
 * hold a later change of one of the keys. Of the base table the files that can hold one of the
 * keys, by partition and by the bounds of the key columns; of those the key columns and the
 * position. Memory holds the changes of a range, or of one part of it where there are more than
 * {@link dev.tidemark.merge.MergeSpec#withRowsInMemory} allows.
 *
 * <h2>What is refused</h2>
 *
 * <p>A change table that was overwritten or deleted from in the range; a range that snapshot expiry
 * took; a source that was created anew; a base table of format version 1. The remedy is in each
 * {@link dev.tidemark.merge.MergeException}.
 *
 * <h2>Maintenance</h2>
 *
 * <p>A tag {@code tidemark-consumed-<base>} in each change table keeps the snapshot merged last
 * from being expired. It is moved after the base table's commit, by a later run if need be. Files
 * of merges that died are orphans; removing orphan files takes them.
 */
package dev.tidemark.merge;
