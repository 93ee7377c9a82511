package dev.tidemark.commit;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * One long text as several table properties, each below 4,000 characters (what a Hive metastore
 * keeps of a value).
 *
 * <p>The first chunk starts with the number of chunks and a semicolon, so that a missing one is
 * noticed.
 */
final class PropertyChunks {
  static final int MAX_CHARS = 3_900;
  private static final int HEADER_CHARS = 8;

  private final String firstKey;
  private final String keyPrefix;
  private final int maxChunks;

  private PropertyChunks(String firstKey, String keyPrefix, int maxChunks) {
    this.firstKey = firstKey;
    this.keyPrefix = keyPrefix;
    this.maxChunks = maxChunks;
  }

  /** Chunks {@code key.0}, {@code key.1} and so on. */
  static PropertyChunks numbered(String key, int maxChunks) {
    return new PropertyChunks(key + ".0", key + ".", maxChunks);
  }

  /** Chunks {@code key}, {@code key.1} and so on. */
  static PropertyChunks headed(String key, int maxChunks) {
    return new PropertyChunks(key, key + ".", maxChunks);
  }

  /** How long a text may be. */
  int capacity() {
    return maxChunks * (MAX_CHARS - HEADER_CHARS);
  }

  /**
   * The text, or null if there is none.
   *
   * @throws IllegalArgumentException if a chunk is missing or the first one has no valid head
   */
  @Nullable String read(Map<String, String> properties) {
    String first = properties.get(firstKey);
    if (first == null) {
      return null;
    }
    int end = first.indexOf(';');
    int count = end < 1 || end > 4 ? 0 : parseCount(first.substring(0, end));
    if (count < 1 || count > maxChunks) {
      throw new IllegalArgumentException(
          "Invalid property %s: no count of chunks (must be 1 to %d)"
              .formatted(firstKey, maxChunks));
    }
    StringBuilder text = new StringBuilder(first.substring(end + 1));
    for (int i = 1; i < count; i++) {
      String chunk = properties.get(keyPrefix + i);
      if (chunk == null) {
        throw new IllegalArgumentException(
            "Invalid property %s%d: missing (must be there: %s counts %d chunks)"
                .formatted(keyPrefix, i, firstKey, count));
      }
      text.append(chunk);
    }
    return text.toString();
  }

  /**
   * Adds what makes the properties hold this text and no left-over chunk.
   *
   * @throws IllegalArgumentException if the text is longer than {@link #capacity()}
   */
  void write(String text, Map<String, String> properties, PropertyChange.Builder change) {
    if (text.length() > capacity()) {
      throw new IllegalArgumentException(
          "Invalid text for property %s: %d characters (must be <= %d)"
              .formatted(firstKey, text.length(), capacity()));
    }
    List<String> parts =
        text.isEmpty()
            ? ImmutableList.of("")
            : Splitter.fixedLength(MAX_CHARS - HEADER_CHARS).splitToList(text);
    change.set(firstKey, parts.size() + ";" + parts.get(0));
    for (int i = 1; i < parts.size(); i++) {
      change.set(keyPrefix + i, parts.get(i));
    }
    removeFrom(parts.size(), properties, change);
  }

  /** Adds what removes every chunk. */
  void clear(Map<String, String> properties, PropertyChange.Builder change) {
    if (properties.containsKey(firstKey)) {
      change.remove(firstKey);
    }
    removeFrom(1, properties, change);
  }

  private void removeFrom(
      int first, Map<String, String> properties, PropertyChange.Builder change) {
    for (int i = Math.max(first, 1); i < maxChunks; i++) {
      if (properties.containsKey(keyPrefix + i)) {
        change.remove(keyPrefix + i);
      }
    }
  }

  private static int parseCount(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
