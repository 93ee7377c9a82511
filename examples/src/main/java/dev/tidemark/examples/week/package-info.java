/**
 * A week in minutes: four writers on an embedded Flink cluster fill one change table through seven
 * days of simulated time, with stragglers, an idle writer, a wrong clock, a backfill, and a stop or
 * a crash every day. What the table went through is drawn as a staircase, and audited by reading
 * every version of its metadata and every data file.
 */
package dev.tidemark.examples.week;
