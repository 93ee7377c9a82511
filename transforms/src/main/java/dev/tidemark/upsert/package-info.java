/**
 * What a changelog means per key of a sink: changes with retractions become upserts and deletes.
 *
 * <h2>The problem</h2>
 *
 * A join or an aggregation upstream tells its rows apart by one key, the sink by another. Two rows
 * of the input can then be one row of the sink, one of them taken back while the other stays; and
 * what was sent in order per key of the input arrives mixed per key of the sink. Whoever just
 * writes the last change loses rows.
 *
 * <h2>Contract</h2>
 *
 * A <em>sink key</em> has a list of <em>candidates</em>: rows that were added and not retracted, in
 * order of arrival. The last one is what the sink is to show. {@code +I} and {@code +U} add, {@code
 * -U} and {@code -D} retract; nothing else is taken from the kind. A retraction finds its candidate
 * by the <em>input upsert key</em>, or by the whole row where none is declared. Each change emits
 * at most one:
 *
 * <table>
 *   <caption>Changes and what they emit</caption>
 *   <tr><th>change</th><th>candidates before</th><th>after</th><th>emitted</th></tr>
 *   <tr><td>addition</td><td>none</td><td>it alone</td><td>{@code +I} with its row</td></tr>
 *   <tr><td>addition, no upsert key or a new one</td><td>some</td><td>it is the last one</td><td>{@code +U} with its row</td></tr>
 *   <tr><td>addition, upsert key that is there</td><td>some</td><td>it takes the place of that one</td><td>{@code +U} with its row, also where the place is not the last</td></tr>
 *   <tr><td>retraction</td><td>its own only</td><td>none</td><td>{@code -D} with its row; with that of the candidate if it does not tell the whole row</td></tr>
 *   <tr><td>retraction</td><td>several, its own is last</td><td>without it</td><td>{@code +U} with the row that is last now</td></tr>
 *   <tr><td>retraction</td><td>several, its own is not last</td><td>without it</td><td>nothing</td></tr>
 *   <tr><td>retraction</td><td>none that matches</td><td>as before</td><td>nothing; counted</td></tr>
 * </table>
 *
 * <p>That is what Flink SQL's sink upsert materializer does in its four strategies, {@link
 * dev.tidemark.candidates.UpsertStrategy}; where its MAP strategy is defective (FLINK-39740), the
 * rules above hold. So does this consequence: {@code -U} and {@code +U} of the only candidate come
 * out as {@code -D} and {@code +I}.
 *
 * <p>An addition has to tell its whole row. A retraction has to tell the sink key, and the upsert
 * key or the whole row. What does not goes to the failed output, and is missing from the
 * candidates.
 *
 * <h2>Order</h2>
 *
 * The changes of one input row have to arrive in order, or a retraction finds nothing and its
 * addition stays for ever. From the packing of changes to their processing order is kept where the
 * runner keeps it between one sender and one receiver, as Flink does. Before that it is the
 * pipeline's: a source that reads one key in one place, and nothing between that shuffles by
 * anything but the input's key. For all else there is {@link
 * dev.tidemark.upsert.MaterializeUpserts#withOrderBy}, which waits for the input watermark.
 *
 * <p>The output of one sink key is in the order of processing. Outputs have the timestamp and the
 * log position of the change that caused them, also where the row is that of an earlier change.
 * Windows other than the global one are refused: candidates have no end.
 *
 * <h2>State</h2>
 *
 * Sink keys fall into shards by their hash ({@link
 * dev.tidemark.upsert.MaterializeBatches#shardOf}). The state of a shard is one value and four bags
 * of byte arrays, nothing else; what works on them is a {@link
 * dev.tidemark.candidates.CandidateStore}, found on the class path. State is bound to the number of
 * shards, the keys, the schema and the encoding, and is refused under any other; strategy,
 * thresholds, bounds, time to live and batches can be changed.
 *
 * <p>With a time to live a key expires so long after its last addition or matched retraction.
 * Expired candidates are never seen again, from that moment on. Their bytes go when their shard has
 * other changes: each batch is followed by a sweep of 64 KiB. A shard without changes keeps its
 * expired bytes; there is no timer, which at the end of an input would have to be waited for.
 *
 * <p>Flink clears state at the end of the input and when a job is stopped with {@code --drain}. A
 * job that is to go on is stopped without.
 *
 * <h2>Export, re-sharding, initial state</h2>
 *
 * State leaves a pipeline at the end of its input ({@link
 * dev.tidemark.upsert.MaterializeUpserts#withExport}), is made into another number of shards by
 * {@link dev.tidemark.upsert.UpsertStates#reshard}, and is what another pipeline begins with
 * ({@link dev.tidemark.upsert.MaterializeUpserts#withInitialState}). What may fail, and why nothing
 * is lost or taken twice:
 *
 * <ul>
 *   <li><em>Each shard takes part.</em> Every attempt begins by sending each shard a batch without
 *       changes. It makes a shard take its image over, and sets the timer for the end of the input,
 *       which is part of the runner's state from then on.
 *   <li><em>An image is written</em> from the runner's state when the timer fires, under a name
 *       that no other image ever has. A failure leaves a file that nothing names; the attempt that
 *       is restored fires the timer again, or processes further changes before.
 *   <li><em>The name of an image</em> goes to one function that counts them, as an element: it is
 *       taken back together with the timer that sent it. So the images that are counted are of one
 *       history of all shards, after all of the input of that history.
 *   <li><em>The manifest</em> is written when the last name arrives, beside its place first and
 *       then renamed. The same images give the same manifest, so that writing it again does no
 *       harm. If the job fails after that and goes on, the manifest is of a history that was taken
 *       back: it counts only once the job has finished, and the next end of the input replaces it.
 *   <li><em>Re-sharding</em> never changes what it reads, and writes its manifest last.
 *   <li><em>A pipeline is built</em> with the export that is there then, by its id; another one in
 *       its place is refused by the shards that still have to take it over. Settings that differ
 *       are refused before anything runs.
 *   <li><em>An image is taken over</em> into the state of a shard that has none, before anything
 *       else is done with the shard, and the id of the export is written beside it. Both are kept
 *       or taken back by the runner together. A shard with state takes nothing over, and is refused
 *       if its state began otherwise: no restore takes an image twice, and no state is mixed. An
 *       image is read whole, and checked for its number of records and the shard of each key,
 *       before the state counts; one that is missing fails the bundle.
 * </ul>
 *
 * <h2>Change batches</h2>
 *
 * {@link dev.tidemark.upsert.MaterializeUpserts#onBatches} does the same on {@link
 * dev.tidemark.arrow.ChangeBatch}es, with the same state: keys and rows are encoded from their
 * columns into the bytes that {@link dev.tidemark.upsert.RowEncoding} gives the same rows. Rows are
 * sorted into batches of one shard before the exchange, column by column; what is exchanged is a
 * batch for each shard and nothing else, as keys and rows are encoded where candidates are kept.
 * There a row that is emitted as it came is copied from its columns; a batch of which all rows are
 * emitted so keeps its bytes, and only its kinds change; a row that comes up again is decoded from
 * what was kept. Orders other than that of arrival are refused.
 *
 * <h2>Latency</h2>
 *
 * A batch of a shard leaves by rows, by bytes, or by age; all batches under way together take 32
 * MiB, beyond which the oldest one leaves. Age is looked at when a change of any shard arrives, or
 * at one in sixteen where they come within a millisecond, so that a change waits for the batch age
 * and for the next change, and never beyond the end of its bundle: on Flink as {@code
 * TidemarkFlink.configure} sets it up, the next checkpoint.
 *
 * <h2>Metrics</h2>
 *
 * Namespace {@code MaterializeUpserts}. Counters begin at zero with each attempt of a job.
 *
 * <ul>
 *   <li>Volume: {@code additions} and {@code retractions} come in; {@code inserts}, {@code
 *       updates}, {@code deletes} go out; {@code silentRetractions} removed an older candidate;
 *       {@code rollbacks} removed the last one and brought up the one before. {@code packedRows}
 *       (distribution) is the size of batches as packed, {@code batchRows} as processed; small ones
 *       cost more. {@code migrations} are lists that became long or short. {@code recordHits},
 *       {@code recordMisses}, {@code spilledBytes}, {@code journalBytes}, {@code bases}, {@code
 *       baseBytes} are the work of the store; misses that grow with the input mean that more memory
 *       would help. Over change batches {@code forwardedRows} left with the bytes of their batch,
 *       {@code copiedRows} were copied from its columns, and {@code decodedRows} came up again.
 *   <li>Tripwires: {@code unmatchedKeyKnown} and {@code unmatchedKeyAbsent} count retractions
 *       without a candidate, of keys that have others and of keys that have none; a log line says
 *       so once a minute, with a hash of a key. Known keys point at an order that is broken or at a
 *       column without a stable value; absent ones at state that began empty, additions that
 *       failed, time to live, or retractions that came twice. {@code failedChanges} are in the
 *       failed output. {@code lateChanges} came behind the watermark where changes are sorted, and
 *       were processed at once: the source's watermark is too fast. {@code droppedCandidates} were
 *       dropped at the hard bound: the sink may show what was taken back. {@code rebuilds} and
 *       {@code rebuiltBytes} rise with each recovery or rescaling, and never otherwise.
 *   <li>Input health: {@code longestList} (distribution) and {@code beyondSoftBound} show keys with
 *       many candidates; growth without end means that retractions do not match. {@code
 *       olderSlotReplacements} are additions that replaced a candidate other than the last, as
 *       upserts without their retractions do. {@code keyGrowth} and {@code candidateGrowth} are by
 *       how much there are more of them. {@code expiredKeys}. {@code largestShardBytes}
 *       (distribution) is what one recovery reads at once; beyond 32 MiB more shards are due.
 *       {@code exportedShards} and {@code importedShards} wrote an image, and took one over.
 * </ul>
 */
package dev.tidemark.upsert;
