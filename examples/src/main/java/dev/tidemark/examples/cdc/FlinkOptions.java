package dev.tidemark.examples.cdc;

import dev.tidemark.flink.TidemarkFlinkOptions;

/**
 * The options of Flink, with Tidemark's. {@code --checkpointingInterval} has to be set; with Kafka
 * as the source {@code --maxParallelism} as well, since it is part of the state.
 */
public interface FlinkOptions extends TidemarkFlinkOptions {}
