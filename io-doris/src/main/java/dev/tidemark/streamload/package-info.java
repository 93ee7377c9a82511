/**
 * Stream loads of Arrow bodies into Apache Doris: the protocol on bytes and headers, without Beam.
 *
 * <h2>The contract</h2>
 *
 * A load is a body and a label. The database takes each label once, so a load that is made again
 * under its label, by a retry or a replay, is not loaded twice. Two protocols rest on that:
 *
 * <ul>
 *   <li>{@link dev.tidemark.streamload.LoadProtocol}: rows are visible when it returns. The label
 *       carries a digest of the content. Finding it committed is success if the digest is this
 *       content's, and an error otherwise.
 *   <li>{@link dev.tidemark.streamload.TwoPhaseProtocol}: rows wait for a commit, which may be made
 *       any number of times. The label carries the place in the order of a shard. Finding it open
 *       is normal after a failure: it is aborted and loaded again. Finding it committed is an
 *       error, since what was committed may have been grouped otherwise.
 * </ul>
 *
 * <h2>What happens when</h2>
 *
 * <table>
 *   <caption>Events and what the protocols do</caption>
 *   <tr><th>Event</th><th>Label mode</th><th>Two phases</th></tr>
 *   <tr><td>no frontend or backend reached, no backend named</td><td colspan="2">other frontends, then again
 *       after a wait; UNAVAILABLE in the end</td></tr>
 *   <tr><td>connection broke, answer lost, torn, late or none of Doris</td><td>the label's state decides:
 *       committed is success, open is waited for, else sent again</td><td>what is open under the label is
 *       aborted, then sent again</td></tr>
 *   <tr><td>Publish Timeout</td><td colspan="2">success: it is committed and will be visible</td></tr>
 *   <tr><td>label exists, FINISHED</td><td>success if the label carries this content</td><td>{@link
 *       dev.tidemark.streamload.RewoundException}</td></tr>
 *   <tr><td>label exists, RUNNING</td><td>waited for</td><td>aborted, then sent again</td></tr>
 *   <tr><td>label exists, PRECOMMITTED</td><td>LABEL_CONFLICT</td><td>aborted, then sent again</td></tr>
 *   <tr><td>too many versions, transactions, memory</td><td colspan="2">again after longer waits; OVERLOADED
 *       in the end</td></tr>
 *   <tr><td>rows filtered</td><td colspan="2">{@link dev.tidemark.streamload.RejectedException} with the server's
 *       reasons</td></tr>
 *   <tr><td>unknown column, missing right, other refusals</td><td colspan="2">REFUSED or UNAUTHORIZED at once</td></tr>
 *   <tr><td>commit: already visible or committed</td><td></td><td>success</td></tr>
 *   <tr><td>commit: aborted, expired, not found</td><td></td><td>{@link
 *       dev.tidemark.streamload.LostTransactionException}</td></tr>
 *   <tr><td>commit: no answer, or the server is short of something</td><td></td><td>again; UNKNOWN_OUTCOME in the
 *       end, which committing again settles</td></tr>
 *   <tr><td>abort: already visible or committed</td><td></td><td>an error, never taken for aborted</td></tr>
 *   <tr><td>label or two_phase_commit dropped on the way</td><td colspan="2">DISOBEYED</td></tr>
 * </table>
 *
 * <h2>Bounds</h2>
 *
 * Each request ends within its time, whatever the server does; at most 1 MiB of an answer is read
 * (4 MiB of a schema, 64 KiB of an error log). Attempts and waits are bounded by {@link
 * dev.tidemark.streamload.RetryPolicy}. A body is held by its owner and not copied.
 *
 * <h2>Credentials</h2>
 *
 * User and password go to the frontends given, and to where these send a request on: the same path
 * of another server, not from HTTPS to HTTP, and only to hosts on {@link
 * dev.tidemark.streamload.DorisCluster#withBackendHosts the list} if there is one. They appear in
 * no message, log or {@code toString}.
 *
 * <h2>Order</h2>
 *
 * Loads of one shard are made one after the other by the caller; nothing here runs ahead.
 *
 * <p>This package keeps no metrics; {@link dev.tidemark.streamload.LoadListener} is told of
 * retries, settled labels and aborted transactions for those of the caller.
 */
package dev.tidemark.streamload;
