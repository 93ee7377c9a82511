/** Checks a live Doris cluster for what the tests can show of the emulator only. */
package dev.tidemark.examples.doris;
