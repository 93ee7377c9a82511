/**
 * Upsert materialization of changelogs of Beam rows: how rows and their keys become the bytes that
 * {@link dev.tidemark.candidates} works on.
 */
package dev.tidemark.upsert;
