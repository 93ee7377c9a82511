/**
 * What transforms can know of the runner they run on, without naming one.
 *
 * <p>A module for a runner provides a {@link dev.tidemark.runner.RunnerSupport} through {@link
 * java.util.ServiceLoader}. Without one, keys are plain numbers and limits are the transforms' own
 * defaults.
 *
 * <h2>Keys that spread evenly</h2>
 *
 * A runner that hashes keys into a fixed number of groups, and gives each worker a range of groups,
 * spreads a small number of keys unevenly: of 1,024 numbers, one of 32 workers easily gets half as
 * many again as its share. {@link dev.tidemark.runner.BalancedKeys} chooses keys instead: shard
 * {@code i} of {@code n} gets a key that falls into group {@code floor(i * groups / n)}. Where
 * {@code n} divides the number of groups, no worker gets more than {@code ceil(n / workers)}
 * shards, for whatever number of workers: a worker whose range begins at group {@code ceil(w *
 * groups / workers)} begins at shard {@code ceil(w * n / workers)}.
 *
 * <p>Keys depend on the number of groups and of shards only, which both are fixed for the life of
 * the state, and never on the number of workers.
 */
package dev.tidemark.runner;
