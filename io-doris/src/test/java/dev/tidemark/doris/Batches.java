package dev.tidemark.doris;

import dev.tidemark.arrow.ArrowAllocators;
import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.arrow.ChangeBatchBuilder;
import dev.tidemark.change.Change;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.beam.sdk.schemas.Schema;

/** Makes batches of changes. */
final class Batches {
  private Batches() {}

  static ChangeBatch of(Schema schema, Change... changes) {
    try (BufferAllocator allocator = ArrowAllocators.child("test");
        ChangeBatchBuilder builder = ChangeBatchBuilder.of(schema, allocator)) {
      for (Change change : changes) {
        builder.add(change, null);
      }
      return builder.build();
    }
  }
}
