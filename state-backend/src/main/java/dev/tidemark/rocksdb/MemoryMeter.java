package dev.tidemark.rocksdb;

/** The bytes that the records and filters of one store take on the heap. */
final class MemoryMeter {
  long bytes;

  /** The part of the filters. */
  long filterBytes;
}
