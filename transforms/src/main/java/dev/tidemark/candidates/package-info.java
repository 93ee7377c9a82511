/**
 * The ordered candidates of sink keys, as bytes: what a changelog means per key. Plain Java,
 * without Beam.
 */
package dev.tidemark.candidates;
