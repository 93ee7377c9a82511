package dev.tidemark.sensor;

/**
 * An append by a foreign writer that reaches, or may reach, below the watermark.
 *
 * @param snapshotId the snapshot that appended
 * @param files how many of its files are concerned
 * @param maxRecords all rows of these files: at most this many are late
 * @param suspected whether some of the files say nothing about their event time
 */
public record ForeignLate(long snapshotId, int files, long maxRecords, boolean suspected) {}
