package dev.tidemark.examples.cdc;

import dev.tidemark.flink.TidemarkFlinkOptions;

/**
 * The options of Flink, with Tidemark's. {@code --checkpointingInterval} has to be set. {@code
 * --maxParallelism}, 1,024 unless it is set, is part of the state.
 */
public interface FlinkOptions extends TidemarkFlinkOptions {}
