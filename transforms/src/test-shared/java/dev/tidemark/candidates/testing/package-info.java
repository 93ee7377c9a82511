/** Stands in for a runner's state and for a store in tests. */
package dev.tidemark.candidates.testing;
