package dev.tidemark.arrow;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Memory outside of the heap, for as long as something uses it.
 *
 * <pre>{@code
 * try (BufferAllocator allocator = ArrowAllocators.child("PackByShard");
 *     OpenChangeBatch open = batch.open(allocator)) {
 *   // ...
 * }
 * }</pre>
 *
 * <p>Each use has an allocator of its own, which counts what it gave out. Closing it while
 * something is still in use fails with {@code IllegalStateException}, so that a leak shows at its
 * place and not when memory ends.
 */
public final class ArrowAllocators {
  private static final BufferAllocator ROOT = new RootAllocator(Long.MAX_VALUE);

  private ArrowAllocators() {}

  /** An allocator without a limit of its own. The caller closes it. */
  public static BufferAllocator child(String name) {
    return child(name, Long.MAX_VALUE);
  }

  /** An allocator that gives out no more than so many bytes. The caller closes it. */
  public static BufferAllocator child(String name, long maxBytes) {
    return ROOT.newChildAllocator(name, 0, maxBytes);
  }

  /** What all allocators of this process have given out and not got back. */
  public static long outstandingBytes() {
    return ROOT.getAllocatedMemory();
  }
}
