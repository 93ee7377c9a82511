package dev.tidemark.commit;

/**
 * Where a commit landed. The snapshot's sequence number (0 on a version 1 table) tells, after the
 * snapshot expired, whether the head can still descend from it.
 */
record Landing(long snapshotId, long snapshotSequence) {}
