/**
 * What follows when hours become final: listeners of advances, and the way they are told.
 *
 * <h2>Contract</h2>
 *
 * <ul>
 *   <li><b>Nothing waits for a listener.</b> Each has a thread and a queue of its own in each
 *       instance of the advancing step. The queue holds one thing per table (per table and hour for
 *       late data), 10,000 at most.
 *   <li><b>At least once, for the newest watermark.</b> A notice that waits is replaced by a newer
 *       one of its table, which says all that it said. A failed attempt is repeated after 1 second,
 *       doubling up to 5 minutes, with jitter, for an hour or until something newer comes; an
 *       answer that will not change is not repeated. When a process looks at a table for the first
 *       time, after a crash for instance, the watermark that is there is told as {@link
 *       dev.tidemark.action.AdvanceNotice#afterStart}. So what the newest notice says gets through
 *       as long as the receiver is back before the process ends, or is told by the next one.
 *   <li><b>Idempotent.</b> {@link dev.tidemark.action.AdvanceNotice#id} is the same in all
 *       repetitions. Tags and marker files are made after the newest one that is there, and stay as
 *       they are; so they are complete however many notices were lost.
 *   <li><b>After a reset</b> of the watermark tags and markers beyond it are removed with the next
 *       notice.
 * </ul>
 *
 * <p>Alerts of late data are told in the same way, but are not made up for after a crash: the
 * {@code late} output is what is complete.
 *
 * <h2>Ordering</h2>
 *
 * Notices of a table come in order to each listener. There is no order between tables, listeners,
 * or pipelines that write to the same table.
 *
 * <h2>Metrics</h2>
 *
 * Tripwires, in the namespace of the write: {@code listenerFailures}, attempts that failed, and
 * {@code undeliveredNotices}, notices and alerts that were given up; see {@link
 * dev.tidemark.iceberg}. They are counted with the next event of the task.
 */
package dev.tidemark.action;
