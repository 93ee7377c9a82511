/** Servers that tests and benchmarks start as processes. */
package dev.tidemark.examples.cluster;
