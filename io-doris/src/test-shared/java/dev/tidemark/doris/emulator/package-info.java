/**
 * A Doris one can run on a laptop: the stream load protocol on loopback, with faults on demand.
 *
 * <p>{@link dev.tidemark.doris.emulator.DorisEmulator} starts it, {@link
 * dev.tidemark.doris.emulator.Fault} lets things go wrong, {@link
 * dev.tidemark.doris.emulator.DorisEmulatorMain} runs it as a program. {@code
 * docs/doris-emulator.md} lists the endpoints, what is refused, and what is not modelled.
 *
 * <p>A connection is served by a thread of its own. A {@code LoopbackServer} hands each request to
 * a {@code Frontend} or a {@code Backend}, which share one {@code Cluster}: the tables and the
 * transactions, under one lock. A {@code Load} reads a body outside of that lock, by a {@code
 * LoadPlan} made of the headers, into rows that become visible when their transaction does.
 */
package dev.tidemark.doris.emulator;
