/**
 * The demonstration: recorded change events of a small shop, replayed through the change pipeline
 * of {@link dev.tidemark.examples.cdc} on an embedded Flink cluster into Iceberg tables partitioned
 * by hour and into Doris tables, and checked against what the source's database held at the end.
 */
package dev.tidemark.examples.demo;
