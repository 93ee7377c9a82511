package dev.tidemark.merge;

import org.apache.iceberg.DataFile;

/**
 * A data file of a range of changes.
 *
 * @param source which of the sources it is of
 * @param number its place among all files of the run: by source, sequence number and location
 */
record ChangeFile(int source, int number, DataFile file) {}
