/** What an event costs on its way through the whole change pipeline, against Flink SQL. */
package dev.tidemark.examples.benchmarks.endtoend;
