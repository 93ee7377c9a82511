/**
 * A whole pipeline with options for all of it: change events of Debezium from Kafka or files,
 * change tables in Iceberg with finalization, upserts, Doris.
 *
 * <p>{@link dev.tidemark.examples.cdc.CdcPipeline} is the program. Its options are interfaces by
 * concern, joined in {@link dev.tidemark.examples.cdc.CdcOptions}. What shapes the graph is a plain
 * value; everything else is a {@code ValueProvider} that workers read, with references to secrets
 * that workers resolve, so that no secret is in a job graph.
 *
 * <h2>Order</h2>
 *
 * The changes of a key are applied in the order in which they arrive, which is that of a Kafka
 * partition: topics have to be keyed by the table's primary key, as Debezium does. From the source
 * to the shards of keys every exchange keeps the order (Flink's do). {@code --upsertOrder=POSITION}
 * sorts by log position for sources that do not keep it.
 *
 * <h2>Nothing disappears</h2>
 *
 * Each record gives changes, is a tombstone or another record that is no change of a row (counted
 * by the parser), or becomes a dead letter with the reason; so does each change that a table cannot
 * hold.
 */
package dev.tidemark.examples.cdc;
