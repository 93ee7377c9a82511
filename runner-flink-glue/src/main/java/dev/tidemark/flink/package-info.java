/**
 * What Tidemark's streaming writes need from Flink's classic runner, and how to get it.
 *
 * <h2>One bundle per checkpoint</h2>
 *
 * By default the runner closes a bundle after 1,000 elements or one second, which makes a data file
 * of each. {@link dev.tidemark.flink.TidemarkFlink#configure} sets what is needed for one bundle,
 * and so one file per writer and open partition, for each checkpoint:
 *
 * <table>
 *   <caption>Options</caption>
 *   <tr><th>Option</th><th>Value</th><th>Why</th></tr>
 *   <tr><td>{@code checkpointingInterval}</td><td>yours, in millis</td><td>effects are performed for completed
 *       checkpoints only</td></tr>
 *   <tr><td>{@code checkpointingMode}</td><td>EXACTLY_ONCE</td><td>AT_LEAST_ONCE repeats elements</td></tr>
 *   <tr><td>{@code numConcurrentCheckpoints}</td><td>1</td><td>bundles and checkpoints stay in step</td></tr>
 *   <tr><td>{@code minPauseBetweenCheckpoints}</td><td>at least 1, better 500 ms</td><td>commits get through between
 *       slow checkpoints</td></tr>
 *   <tr><td>{@code finishBundleBeforeCheckpointing}</td><td>true</td><td>files of a bundle are in the checkpoint that
 *       ends it</td></tr>
 *   <tr><td>{@code maxBundleSize}</td><td>9223372036854775807</td><td>no bundle ends by count</td></tr>
 *   <tr><td>{@code maxBundleTimeMills}</td><td>at least 10 intervals</td><td>no bundle ends by time</td></tr>
 *   <tr><td>{@code autoWatermarkInterval}</td><td>200</td><td>unset, sources emit watermarks only every
 *       maxBundleTimeMills / 5</td></tr>
 *   <tr><td>{@code objectReuse}</td><td>true (recommended)</td><td>saves a copy of each row between chained
 *       functions</td></tr>
 *   <tr><td>{@code unalignedCheckpointEnabled}</td><td>false</td><td>not shown to be safe</td></tr>
 *   <tr><td>{@code maxParallelism}</td><td>1,024, or another multiple of the shards</td><td>keys of state depend on
 *       it</td></tr>
 *   <tr><td>{@code allowNonRestoredState}</td><td>false</td><td>drops results that have not been committed yet</td></tr>
 *   <tr><td>{@code retainExternalizedCheckpointsOnCancellation}</td><td>true (recommended)</td><td>a failed job can be
 *       started again</td></tr>
 * </table>
 *
 * What the user gave stays as it is. {@link dev.tidemark.flink.FlinkPipelineCheck} verifies all but
 * the recommendations before a streaming pipeline starts, and that reads from Kafka are pinned to
 * what keeps its place across a rescale. These options hold for the whole pipeline: every function
 * that collects elements until the end of a bundle now collects those of a whole checkpoint
 * interval.
 *
 * <h2>State</h2>
 *
 * {@link dev.tidemark.flink.IncrementalRocksDb} keeps it in RocksDB, with incremental checkpoints.
 * {@link dev.tidemark.flink.FlinkRunnerSupport} tells transforms of Flink's key groups, so that
 * shards spread evenly over subtasks, and of the memory that stores of candidates have in each
 * process.
 *
 * <h2>Operation</h2>
 *
 * Stop with a savepoint and without draining; restore with {@code --savepointPath}; keep step names
 * and {@code --maxParallelism}. Never set {@code --allowNonRestoredState} to get past a refused
 * restore.
 */
package dev.tidemark.flink;
