/**
 * Runs the sink materializers that Flink SQL has released, unmodified, beside Tidemark's: on
 * recorded changelogs, on random ones, and against the clock.
 */
package dev.tidemark.peers;
