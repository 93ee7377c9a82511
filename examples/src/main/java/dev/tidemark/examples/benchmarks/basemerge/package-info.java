/**
 * What a merge of changes into a base table costs, beside Spark's MERGE INTO on the same tables.
 */
package dev.tidemark.examples.benchmarks.basemerge;
