/**
 * The rows that write benchmarks put in, and how a process that writes them is run and measured.
 */
package dev.tidemark.examples.benchmarks.load;
