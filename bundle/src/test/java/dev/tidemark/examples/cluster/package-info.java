/**
 * The pipeline where it is to run: on a Flink cluster, between a source database, Kafka, a catalog
 * and Doris, each a process of its own that tests start and kill.
 */
package dev.tidemark.examples.cluster;
