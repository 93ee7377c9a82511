/**
 * Runs the released Flink connector of Doris, unmodified and in a process of its own: what a client
 * that nobody here wrote puts on the wire, and what it makes of the answers.
 */
package dev.tidemark.peers.doris;
