/**
 * Rows and changes into Apache Iceberg tables, exactly once, with facts about event time and a
 * finalization watermark. {@link dev.tidemark.iceberg.TidemarkIcebergIO} is where to start.
 *
 * <h2>Contract</h2>
 *
 * <ul>
 *   <li><b>Streaming.</b> A table is committed with what a completed checkpoint holds, and nothing
 *       else: each row is in the table once, whatever fails (see {@link dev.tidemark.once} for how,
 *       and {@link dev.tidemark.commit} for what the table itself remembers). This needs a runner
 *       whose checkpoints somebody vouches for; a stream on any other runner is refused. The direct
 *       runner, which has no checkpoints and survives no failure, is accepted for tests; on one
 *       thread ({@code --targetParallelism=1}), since it otherwise repeats commits, which are then
 *       reported as replayed.
 *   <li><b>Bounded input.</b> Each table is committed once per window, when all rows of the window
 *       are written. A run that the runner repeats in part commits nothing twice: the first commit
 *       of a run and window wins, and files of later attempts are orphans in the failed output.
 *       Running the pipeline anew is a new run, and appends again. Triggers of the input are not
 *       looked at, and merging windows (sessions) are refused.
 *   <li><b>Outputs</b> ({@link dev.tidemark.iceberg.IcebergWriteResult}) are emitted at least once:
 *       after a failure a commit is reported again, as {@link
 *       dev.tidemark.iceberg.TableCommit#replayed}, and so is late data.
 *   <li><b>Rows that a table cannot hold</b>, and all rows of a table that is missing or has other
 *       columns, go to the failed output one by one, encoded, with the reason. They are in no file,
 *       no fact and no accumulator. Where all rows go to one table, that table is looked at when
 *       the pipeline is launched, and what is wrong is refused before any data moves.
 *   <li><b>One table fails for good</b> (dropped, grant revoked, files that it does not take): a
 *       stream parks it. Its results stay in state, are reported once in the failed output, and are
 *       tried again every {@link dev.tidemark.iceberg.WriteRows#withParkedRetry} until the table
 *       takes them or the input ends. A bounded pipeline gives up its files to the failed output if
 *       there are several tables, and fails if there is but one. Other tables go on.
 *   <li><b>A catalog that does not answer</b> delays the commits of its tables, 1 second to 1
 *       minute between tries, and fails nothing until the input ends.
 *   <li><b>A runner that was taken back</b> behind committed results, a table that was rolled back
 *       or made anew under the same name: {@link dev.tidemark.iceberg.WriteRows#withOnRewind} says
 *       whether the pipeline fails (the default), the table is parked, or the results are accepted.
 * </ul>
 *
 * <p>The writer id is the identity of a pipeline in its tables. It stays the same across restarts
 * from state, and belongs to one live pipeline at a time.
 *
 * <h2>Ordering</h2>
 *
 * Results of a table are committed in the order in which they reach the commit stage, one commit at
 * a time; rows within a file are in the order of their arrival. There is no order between tables,
 * nor between rows of different workers. A post-commit hook and the outputs follow the commit; the
 * watermark moves after the commit whose facts move it, or with a heartbeat. Nothing waits for it.
 *
 * <h2>What it costs</h2>
 *
 * One file per bundle, table and open partition, one commit per checkpoint and table. Facts,
 * accumulators and the watermark cost nothing where they are not asked for: their code is not in
 * the pipeline. Where the runner's bundles are small, {@link
 * dev.tidemark.iceberg.WriteRows#withRowGrouping} keeps files few, for a shuffle. Each table of a
 * bundle has its own files open, so that memory grows with the tables a worker writes at once; see
 * {@link dev.tidemark.datafile.FileOptions}.
 *
 * <h2>Late data</h2>
 *
 * A commit with rows below the watermark does not move it back. It is reported by hour in {@link
 * dev.tidemark.iceberg.IcebergWriteResult#late}, counted, and told to the listeners at most once
 * per table and hour within the alerting window. Counts are exact where the watermark lies on a
 * boundary of the facts, upper bounds otherwise. Snapshots of other writers that may reach below
 * the watermark are reported without a writer.
 *
 * <h2>Metrics</h2>
 *
 * Namespace {@code TidemarkIcebergIO}. They are attempted values: a bundle that fails and is
 * repeated counts twice. The commit stage itself counts under {@code PerformOnce}, see {@link
 * dev.tidemark.once}.
 *
 * <p>Volume:
 *
 * <table>
 *   <caption>Metrics of volume and latency</caption>
 *   <tr><th>Metric</th><th>Meaning</th></tr>
 *   <tr><td>{@code writtenRows}, {@code writtenFiles}</td><td>rows and files that writers handed
 *       over; ahead of the committed ones by what waits for a checkpoint</td></tr>
 *   <tr><td>{@code rowsPerFile} (distribution)</td><td>small means mean many small files: longer
 *       checkpoint intervals, fewer partitions at a time, or row grouping</td></tr>
 *   <tr><td>{@code commits}, {@code committedRows}, {@code committedFiles}</td><td>snapshots made,
 *       and what is in them</td></tr>
 *   <tr><td>{@code advances}</td><td>moves of watermarks</td></tr>
 *   <tr><td>{@code advanceDurationMs} (distribution)</td><td>evaluating the policy and writing the
 *       watermark; grows with the metadata of the table</td></tr>
 *   <tr><td>{@code watermarkMillis}, {@code watermarkLagMillis} (gauges)</td><td>the watermark last
 *       looked at, and how far it was behind the clock. With several tables it is that of whichever
 *       came last; read single tables by their properties</td></tr>
 *   <tr><td>{@code mergedKeys}, {@code insertedRows}, {@code deletedRows}</td><td>what {@code
 *       MergeChanges}, under its own name, folded, added to base tables and took away</td></tr>
 *   <tr><td>{@code supersededKeys}</td><td>keys whose changes came late, behind later ones that were
 *       merged already, and were left out</td></tr>
 *   <tr><td>{@code mergeReplans}</td><td>how often other commits made a merge start over</td></tr>
 * </table>
 *
 * <p>Tripwires, which should be zero:
 *
 * <table>
 *   <caption>Tripwires, what they mean, and what to do</caption>
 *   <tr><th>Metric</th><th>Not zero means</th><th>What to do</th></tr>
 *   <tr><td>{@code replayedCommits}</td><td>a commit was made by an earlier attempt; rises with each
 *       recovery and never otherwise</td><td>nothing, if there was a recovery; look for a second
 *       pipeline of the same writer id otherwise</td></tr>
 *   <tr><td>{@code parkedResults}</td><td>results wait in state, or are left over, for a table that
 *       fails for good</td><td>read the failed output, mend the table; it goes on by itself. State
 *       grows meanwhile</td></tr>
 *   <tr><td>{@code acceptedRewinds}</td><td>results were committed that the table should not have
 *       needed, by option; rows may be in it twice</td><td>look for duplicates since the snapshot with
 *       {@code tidemark.rewind} in its summary; return to the default option</td></tr>
 *   <tr><td>{@code orphanFiles}</td><td>files that no snapshot refers to, of a repeated batch or of a
 *       table that was made anew</td><td>delete them; the failed output has their names</td></tr>
 *   <tr><td>{@code failedAdvances}</td><td>a watermark could not be evaluated or written; rows are
 *       committed all the same</td><td>read the log; grant the right to set properties; resume or
 *       repair the table's {@code tidemark.} properties</td></tr>
 *   <tr><td>{@code propertiesRefused}</td><td>the catalog takes commits but no properties, so there is
 *       no evidence, and replays are recognised by live snapshots alone</td><td>grant the right to set
 *       properties, before snapshots expire</td></tr>
 *   <tr><td>{@code hookFailures}</td><td>a hook threw after a commit, which stays</td><td>read the log;
 *       what the hook was to do is not done</td></tr>
 *   <tr><td>{@code listenerFailures}</td><td>an attempt to tell a listener failed; it is repeated
 *       for an hour</td><td>read the log; mend the receiver</td></tr>
 *   <tr><td>{@code undeliveredNotices}</td><td>a listener was not told of an advance or of late data:
 *       refused, given up after an hour, or still waiting at the end</td><td>mend the receiver; it hears
 *       of the newest watermark with the next advance or start, of late data from the {@code late}
 *       output only</td></tr>
 *   <tr><td>{@code metadataTooLarge}</td><td>the metadata file of a table is above 8 MiB, and is read
 *       and written with each commit</td><td>expire snapshots; set {@code
 *       write.metadata.compression-codec} to {@code gzip}</td></tr>
 *   <tr><td>{@code droppedFacts}</td><td>summary entries were left out as they would not fit; count,
 *       minimum and maximum are always there</td><td>give accumulators fewer or shorter entries</td>
 *       </tr>
 *   <tr><td>{@code windowResets}</td><td>the stored facts of a writer could not be read and were begun
 *       anew; the watermark waits until there are enough</td><td>find out who edits properties that
 *       start with {@code tidemark.}</td></tr>
 * </table>
 *
 * <p>Health of the input:
 *
 * <table>
 *   <caption>Metrics of the input</caption>
 *   <tr><th>Metric</th><th>Meaning</th></tr>
 *   <tr><td>{@code rejectedRows}</td><td>rows in the failed output</td></tr>
 *   <tr><td>{@code lateRecords}</td><td>rows committed below a watermark: rerun what read their hours;
 *       if they keep coming, the policy is too eager for the source</td></tr>
 *   <tr><td>{@code pastEventTimes}, {@code futureEventTimes}</td><td>event times out of the sane range;
 *       rows are written, but move no watermark</td></tr>
 *   <tr><td>{@code nullEventTimes}, {@code unparsableEventTimes}</td><td>rows without an event time
 *       that can be read; many of them point to a wrong column, unit or format</td></tr>
 *   <tr><td>{@code foreignRecordsBelow}</td><td>at most so many rows that writers other than Tidemark
 *       put below a watermark</td></tr>
 * </table>
 *
 * <h2>Maintenance</h2>
 *
 * <ul>
 *   <li><b>Snapshot expiry</b> takes nothing from the write: what it needs to remember is in table
 *       properties. Keep snapshots as long as readers and rollbacks need them, and expire often: a
 *       commit per minute makes 1,440 snapshots a day.
 *   <li><b>Orphan files.</b> Failed bundles delete their files where they can; a killed worker
 *       leaves them. Remove orphan files with an age above the longest time between two checkpoints
 *       that complete, a stop with a savepoint included, and above the longest time a table stays
 *       parked: files that wait in state look like orphans. Of the failed output only files
 *       reported as {@code orphans} may be deleted at once. Never delete those of parked results,
 *       which are committed when the table takes them, nor {@code possible orphans}, which the
 *       table may refer to, before a search for orphan files says the same.
 *   <li><b>Metadata growth.</b> Tables that the write creates compress their metadata and delete
 *       old metadata files (not in Hadoop catalogs, where that is unsafe). For others set {@code
 *       write.metadata.compression-codec} and {@code write.metadata.delete-after-commit.enabled}.
 *       The properties of the write take a few kilobytes per writer; of writers that are gone for
 *       good, they may be removed.
 *   <li><b>Small files</b> are compacted by the engines' own procedures, at any time; compactions
 *       are neither facts nor foreign appends.
 *   <li><b>Empty snapshots.</b> Where the catalog does not compare whole metadata, a move of the
 *       watermark is an empty snapshot on the branch. Writers of Beam's own IcebergIO 2.67 fail on
 *       a table whose newest snapshot is empty.
 * </ul>
 */
package dev.tidemark.iceberg;
