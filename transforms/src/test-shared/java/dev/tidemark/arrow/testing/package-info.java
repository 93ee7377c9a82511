/** Rows for tests of whatever works on record batches. */
package dev.tidemark.arrow.testing;
