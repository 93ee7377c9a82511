/**
 * Rows, changes and batches of changes into Apache Doris as Arrow, over its stream load protocol.
 * {@link dev.tidemark.doris.DorisIO} is where to start.
 *
 * <h2>Contract</h2>
 *
 * <ul>
 *   <li><b>Labels</b> ({@link dev.tidemark.doris.DeliveryMode#LABELS}, the default). A stream loads
 *       what a completed checkpoint holds, and nothing else (see {@link dev.tidemark.once}). A
 *       load's label names its table, epoch, shard, sequence and content, so that Doris takes it
 *       once however often it is sent. All rows since the last completed checkpoint are in state.
 *   <li><b>Two phases</b> ({@link dev.tidemark.doris.DeliveryMode#TWO_PHASE_COMMIT}). Rows are sent
 *       as they come, in transactions that a checkpoint holds by number and that are committed when
 *       it has completed. After a restore, transactions that no checkpoint holds are found by their
 *       labels and aborted. A transaction must be committed within the frontend's {@code
 *       stream_load_default_precommit_timeout_second}, one hour by default, stops included: an
 *       expired one fails the pipeline, never silently.
 *   <li><b>Bounded input</b> is loaded shard by shard as its bundles go, by labels, into tables
 *       with UNIQUE KEY only: a bundle that the runner repeats is loaded again. A bounded input has
 *       no order, so that equal keys need a sequence column. Running the pipeline anew loads anew.
 *   <li><b>Refusals.</b> The server checks next to nothing about Arrow: it would copy the bytes of
 *       a wrong type, or break. Table and rows are therefore compared before the first byte is
 *       sent, at launch where they are known, and else on the worker.
 *   <li><b>Rows that a table cannot hold</b> (null in NOT NULL, digits that do not fit, a change
 *       that does not tell its columns) go to the failed output one by one. Rows that only the
 *       server refuses fail the pipeline, or go there too, with its reason, by {@link
 *       dev.tidemark.doris.DorisWrite#withRefusedRowsInFailed}.
 *   <li><b>Outputs</b> ({@link dev.tidemark.doris.DorisWriteResult}) are emitted at least once.
 * </ul>
 *
 * <h2>Changes</h2>
 *
 * An upsert is a row; a delete is a row with {@code __DORIS_DELETE_SIGN__} 1, an Int8 and the last
 * column, whose NOT NULL values are zero where the change does not tell them. Updates-before are
 * dropped. Within a load each key is once, with its last change, or that of the highest sequence.
 * What comes to nothing sends nothing and uses up no label.
 *
 * <h2>Order</h2>
 *
 * A key belongs to one shard of its table. The loads of a shard become visible one after the other,
 * in the order in which their rows reached the shard; those of different shards at the same time.
 * Changes of a key have to come to the write in their order, from one instance of the transform
 * before it, as {@code MaterializeUpserts} puts them out. With a sequence column the server keeps
 * the row of the highest sequence, whatever the order.
 *
 * <h2>Failures and their outcome</h2>
 *
 * <table>
 *   <caption>Failures and their outcome</caption>
 *   <tr><th>Event</th><th>Labels</th><th>Two phases</th></tr>
 *   <tr><td>crash before the checkpoint that holds a load</td><td>nothing was sent; the replay makes
 *       other loads</td><td>its transaction is found by its label, and aborted, at the shard's first
 *       sign of life after the restore</td></tr>
 *   <tr><td>crash after the checkpoint, before, during or after the load or commit</td><td>sent again
 *       under the same label; found done, if it was</td><td>committed again by its number; found
 *       done, if it was</td></tr>
 *   <tr><td>answer lost, connection reset, time out</td><td>the label is asked, then sent again if
 *       nothing is known of it</td><td>the label is aborted and sent again; a commit is
 *       repeated</td></tr>
 *   <tr><td>server busy, too many versions, frontend not the master</td><td colspan="2">tried again,
 *       for longer each time; a load waits in state meanwhile, a pre-commit fails its bundle in the
 *       end</td></tr>
 *   <tr><td>user, password or a right is wrong, table dropped</td><td colspan="2">the pipeline fails;
 *       nothing is lost, restart it when mended</td></tr>
 *   <tr><td>stop longer than a pre-commit lives</td><td>no harm</td><td>{@link
 *       dev.tidemark.streamload.LostTransactionException}: restart from a checkpoint before the
 *       pre-commit, with a new label prefix</td></tr>
 *   <tr><td>older checkpoint or savepoint, crash after the last flush of an input that ended</td><td>rows
 *       are loaded again; a table with UNIQUE KEY ends the same, another one has them
 *       twice</td><td>{@link dev.tidemark.streamload.RewoundException}: restart from the newest
 *       checkpoint, or with a new label prefix, which loads again</td></tr>
 *   <tr><td>start without state</td><td>a new epoch: nothing of an earlier run is taken for
 *       one's own</td><td>a new epoch, and what the earlier run left open is aborted</td></tr>
 * </table>
 *
 * <h2>Metrics</h2>
 *
 * Namespace {@code DorisIO}. They are attempted values: a bundle that fails and is repeated counts
 * twice. The load stage itself counts under {@code PerformOnce}, see {@link dev.tidemark.once}.
 *
 * <p>Volume:
 *
 * <table>
 *   <caption>Metrics of volume and latency</caption>
 *   <tr><th>Metric</th><th>Meaning</th></tr>
 *   <tr><td>{@code packedRows}</td><td>rows on their way to a load; ahead of the loaded ones by what
 *       waits for a checkpoint</td></tr>
 *   <tr><td>{@code loads}, {@code loadedRows}, {@code loadedDeletes}, {@code loadedBytes}</td><td>what
 *       became visible</td></tr>
 *   <tr><td>{@code preCommits}</td><td>transactions opened; two phases only</td></tr>
 *   <tr><td>{@code rowsPerLoad} (distribution)</td><td>a small mean means many small versions: longer
 *       checkpoint intervals, or fewer shards</td></tr>
 *   <tr><td>{@code loadMillis} (distribution)</td><td>of a load with its repetitions; of two phases,
 *       of the commit</td></tr>
 * </table>
 *
 * <p>Tripwires, which should be zero:
 *
 * <table>
 *   <caption>Tripwires, what they mean, and what to do</caption>
 *   <tr><th>Metric</th><th>Not zero means</th><th>What to do</th></tr>
 *   <tr><td>{@code replayedLoads}</td><td>a load was found done by its label; rises with recoveries and
 *       lost answers</td><td>nothing, if there was one</td></tr>
 *   <tr><td>{@code retriedAttempts}</td><td>a request failed and was made again</td><td>read the log;
 *       look after the server or the network if it keeps rising</td></tr>
 *   <tr><td>{@code slowedAttempts}</td><td>the server is overloaded: too many versions or
 *       transactions</td><td>fewer shards, longer checkpoint intervals, more compaction</td></tr>
 *   <tr><td>{@code settledAttempts}</td><td>an outcome was unknown, and found by the label</td><td>look
 *       for time-outs between worker and server</td></tr>
 *   <tr><td>{@code abortedLeftOvers}</td><td>transactions of a failed attempt were aborted; rises with
 *       recoveries</td><td>nothing, if there was one; look for a second pipeline with the same label
 *       prefix otherwise</td></tr>
 *   <tr><td>{@code refusedRows}</td><td>rows that the server refused, in the failed output</td><td>read
 *       it; mend the rows or the table</td></tr>
 * </table>
 *
 * <p>Health of the input:
 *
 * <table>
 *   <caption>Metrics of the input</caption>
 *   <tr><th>Metric</th><th>Meaning</th></tr>
 *   <tr><td>{@code rejectedRows}</td><td>rows in the failed output that were not sent</td></tr>
 *   <tr><td>{@code outdoneRows}</td><td>rows left out since a later one of the same load had their key;
 *       many of them are work that materialization or a longer load saves the server</td></tr>
 * </table>
 *
 * <h2>Maintenance</h2>
 *
 * <ul>
 *   <li><b>Labels</b> are remembered by Doris for {@code label_keep_max_second}, three days by
 *       default. A pipeline must not be stopped for longer between a load and its repetition; so
 *       restart within three days, or expect rows of the last checkpoint to be loaded again.
 *   <li><b>Versions.</b> Each load is a version of each tablet it touches; Doris refuses loads when
 *       there are too many, and the write then waits. Shards times tables per checkpoint interval
 *       is how many loads there are.
 *   <li><b>Schema changes.</b> The table is looked at once by each worker's function. Added
 *       nullable columns go unnoticed; after other changes loads fail, and a restart looks again.
 *   <li><b>Speed.</b> Arrow checks the bounds of each access to its memory unless the JVM has
 *       {@code -Darrow.enable_unsafe_memory_access=true -Darrow.enable_null_check_for_get=false},
 *       which is recommended for workers; a damaged batch may crash such a JVM. Two-phase commit
 *       takes less CPU than labels, which keep loads in state until a checkpoint holds them.
 * </ul>
 */
package dev.tidemark.doris;
