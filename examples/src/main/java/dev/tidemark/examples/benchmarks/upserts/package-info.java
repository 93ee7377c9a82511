/** What upserts cost in a pipeline on Flink, beside what they cost without one. */
package dev.tidemark.examples.benchmarks.upserts;
