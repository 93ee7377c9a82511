/** Writes rows, changes and batches of changes to Apache Doris over its stream load protocol. */
package dev.tidemark.doris;
