package dev.tidemark.commit;

import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.WriterWindow;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The window of a writer as chunks of a table property. */
final class WindowProperty {
  private static final int MAX_CHUNKS = 16;

  private WindowProperty() {}

  static PropertyChunks chunks(TidemarkKeys keys, String writerId) {
    return PropertyChunks.headed(keys.window(writerId), MAX_CHUNKS);
  }

  /**
   * The window; null if there is none.
   *
   * @throws IllegalArgumentException if it cannot be read, or is another writer's
   */
  static @Nullable WriterWindow read(
      Map<String, String> properties, TidemarkKeys keys, String writerId) {
    String text = chunks(keys, writerId).read(properties);
    if (text == null) {
      return null;
    }
    WriterWindow window = WriterWindow.fromText(text);
    if (!window.writer().equals(writerId)) {
      throw new IllegalArgumentException(
          "Invalid property %s: it is the window of writer %s"
              .formatted(keys.window(writerId), window.writer()));
    }
    return window;
  }

  /** The window without facts of snapshots that the branch does not hold any more. */
  static WriterWindow held(WriterWindow window, Lineage lineage) {
    WriterWindow held = WriterWindow.empty(window.writer());
    for (CommitFacts facts : window.facts()) {
      if (lineage.holds(facts.snapshotId())) {
        held = held.add(facts);
      }
    }
    return held;
  }

  /** The window with as much as the property can hold; extremes and the newest facts go last. */
  static WriterWindow fitted(WriterWindow window, PropertyChunks chunks) {
    WriterWindow fitted = window.fit(chunks.capacity());
    while (fitted.toText().length() > chunks.capacity()) {
      WriterWindow shorter = WriterWindow.empty(window.writer());
      for (CommitFacts facts :
          fitted.facts().subList(1 + fitted.facts().size() / 4, fitted.facts().size())) {
        shorter = shorter.add(facts);
      }
      fitted = shorter;
    }
    return fitted;
  }
}
