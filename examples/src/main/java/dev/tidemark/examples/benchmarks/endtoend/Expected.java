package dev.tidemark.examples.benchmarks.endtoend;

/**
 * What tables hold when all events so far have arrived.
 *
 * @param events inserts, updates and deletes
 * @param changes rows of the change table: two of an update
 * @param rows of the table by key
 * @param versions sum of the versions of these rows, which any event changes
 */
record Expected(long events, long changes, long rows, long versions) {}
