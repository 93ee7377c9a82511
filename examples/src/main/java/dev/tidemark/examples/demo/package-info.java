/**
 * The demonstration: recorded change events of a small shop, replayed through a streaming pipeline
 * on an embedded Flink cluster into Iceberg tables partitioned by hour, and checked against what
 * the source's database held at the end.
 */
package dev.tidemark.examples.demo;
