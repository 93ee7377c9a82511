/**
 * Effects on other systems, performed only for what a completed checkpoint holds.
 *
 * <h2>The problem</h2>
 *
 * A commit to a table or a load into a database cannot be taken back by the runner. If it is
 * performed for elements that the runner forgets after a failure, the elements come again under
 * another grouping and are written twice. {@code @RequiresStableInput} does not prevent this on
 * Flink: its buffers rotate by the number of concurrent checkpoints, and after a restore, or after
 * any checkpoint whose completion was not notified (aborted, intermediate savepoint), they release
 * elements that no completed checkpoint held.
 *
 * <h2>The contract</h2>
 *
 * {@link dev.tidemark.once.PerformOnce} keeps each element in keyed state under a number of its key
 * and calls the {@link dev.tidemark.once.Effect} only with elements of which it is certain that a
 * completed checkpoint holds them:
 *
 * <ul>
 *   <li>an element that this instance of the function did not add itself came out of restored
 *       state, so it is part of a completed checkpoint;
 *   <li>an element that it did add is confirmed by a bundle finalizer, which Flink calls when the
 *       checkpoint completes that was taken after the call was registered. A finalizer is a hint:
 *       it is lost on a restore, by an aborted checkpoint and by an intermediate savepoint. Each
 *       one therefore confirms everything before it.
 * </ul>
 *
 * Sequence numbers are given when an element arrives, start at 1 for each key, have no gaps, and
 * are part of the checkpoint. The same element has the same number on every attempt to perform it.
 * An effect that remembers (key, sequence, content) is idempotent, and sees three cases:
 *
 * <ul>
 *   <li>same sequence, same content: a repetition, nothing is to be done;
 *   <li>the next sequence: new;
 *   <li>a known sequence with other content: the runner was taken back behind performed effects
 *       (older savepoint, crash after the end of the input was flushed, a second live pipeline).
 * </ul>
 *
 * <h2>What happens when</h2>
 *
 * <table>
 *   <caption>Failures and their outcome</caption>
 *   <tr><th>Event</th><th>Outcome</th></tr>
 *   <tr><td>crash before the checkpoint that holds an element</td><td>the element was not performed; the replay
 *       gives its sequence to whatever comes then</td></tr>
 *   <tr><td>crash after the checkpoint, before or during the effect</td><td>restored, performed at once</td></tr>
 *   <tr><td>crash after the effect, before the next checkpoint</td><td>restored and performed again under the
 *       same sequence; the effect recognises it. Any number of such crashes in a row</td></tr>
 *   <tr><td>aborted checkpoint, intermediate savepoint, lost finalizer</td><td>the elements wait for the next
 *       completed checkpoint; heartbeats see to it that one confirms them even when a key is idle</td></tr>
 *   <tr><td>unknown outcome, effect fails for now</td><td>the elements stay in state and are tried again later, in
 *       order; other keys go on</td></tr>
 *   <tr><td>zombie: an effect still running after its task was cancelled</td><td>it runs for elements of a completed
 *       checkpoint, so its successor performs the same sequences with the same content</td></tr>
 *   <tr><td>rescale</td><td>state is keyed; elements move with their key and count as restored</td></tr>
 *   <tr><td>stop with savepoint</td><td>elements are in the savepoint; performed at its completion or after the
 *       restore</td></tr>
 *   <tr><td>end of input, stop with savepoint and drain</td><td>Flink clears all state before the last checkpoint, so what
 *       is left is performed when the watermark reaches the end of time. A crash between that and the
 *       completion of the last checkpoint makes the replay a rewind, which the effect refuses or accepts
 *       by its own policy</td></tr>
 * </table>
 *
 * Elements of one key are performed in the order of arrival, one call at a time; calls of different
 * keys run in a bounded pool beside the task's thread.
 *
 * <h2>Runners</h2>
 *
 * A runner must restore a new instance of the function after a failure, bind finalizers to
 * checkpoints, and give a key to one instance at a time: Flink's classic runner does. {@link
 * dev.tidemark.once.PipelineCheck} is how a runner's module says so, and checks the options this
 * relies on, before a streaming pipeline starts. The direct runner has no checkpoints and survives
 * no failure; it is accepted for tests.
 *
 * <h2>Metrics</h2>
 *
 * Namespace {@code PerformOnce}.
 *
 * <ul>
 *   <li>Volume: {@code performed} elements, {@code calls} of the effect, {@code callMillis}
 *       (distribution), {@code heartbeats}.
 *   <li>Tripwires: {@code postponed} counts calls that the effect put off; a value that keeps
 *       rising means that a target is failing, its log names it. {@code restored} counts elements
 *       that were performed after a restore; it rises with each recovery and never otherwise.
 *       {@code flushedAtEnd} counts elements performed at the end of the input, before the last
 *       checkpoint.
 *   <li>Input health: {@code heldElements} (distribution at each look) is the number of elements of
 *       a key waiting for a checkpoint; a rising maximum means that checkpoints do not complete.
 * </ul>
 */
package dev.tidemark.once;
