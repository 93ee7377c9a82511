package dev.tidemark.commit;

import com.google.common.collect.ImmutableMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Reads everything that a branch has stored, to see whether it can be read. */
public final class StoredKeys {
  private final Map<String, String> properties;
  private final TidemarkKeys keys;
  private final Map<String, String> problems = new LinkedHashMap<>();

  private StoredKeys(Map<String, String> properties, TidemarkKeys keys) {
    this.properties = properties;
    this.keys = keys;
  }

  /** What cannot be read, and why, by key; of a text in chunks by the key of the first. */
  public static ImmutableMap<String, String> problems(
      Map<String, String> properties, TidemarkKeys keys) {
    StoredKeys stored = new StoredKeys(properties, keys);
    stored.read();
    return ImmutableMap.copyOf(stored.problems);
  }

  /** The watermark in epoch milliseconds, as text; null if there is none, or it cannot be read. */
  public static @Nullable String untilMillis(Map<String, String> properties, TidemarkKeys keys) {
    try {
      Long millis = WatermarkState.of(properties, keys).finalizedUntilMillis();
      return millis == null ? null : millis.toString();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private void read() {
    attempt(keys.finalizedUntil(), key -> WatermarkState.of(properties, keys));
    attempt(keys.writers(), key -> keys.requiredWriters(properties));
    attempt(keys.operations(), key -> OperatorActs.read(properties, keys));
    for (String writer : named(keys.window("x"))) {
      attempt(keys.window(writer), key -> WindowProperty.read(properties, keys, writer));
    }
    for (String writer : named(keys.attested("x"))) {
      attempt(
          keys.attested(writer),
          key -> AttestationText.fromText(String.valueOf(properties.get(key))));
    }
    for (String writer : named(keys.committed("x"))) {
      attempt(
          keys.committed(writer),
          key -> readText(CommittedRecord.chunks(keys, writer), CommittedRecord::fromText));
    }
    for (String writer : named(keys.committedBatch("x"))) {
      attempt(
          keys.committedBatch(writer),
          key -> readText(BatchRecord.chunks(keys, writer), BatchRecord::fromText));
    }
  }

  private void readText(PropertyChunks chunks, Consumer<String> parser) {
    String text = chunks.read(properties);
    if (text == null) {
      throw new IllegalArgumentException("its first chunk is missing");
    }
    parser.accept(text);
  }

  private void attempt(String key, Consumer<String> reader) {
    try {
      reader.accept(key);
    } catch (IllegalArgumentException e) {
      problems.put(key, String.valueOf(e.getMessage()));
    }
  }

  /** The writers that have a property of this kind, given the key of a writer called x. */
  private Set<String> named(String example) {
    String first = example.substring(0, example.length() - 1);
    Set<String> writers = new TreeSet<>();
    for (String key : properties.keySet()) {
      if (key.startsWith(first)) {
        String rest = key.substring(first.length());
        int dot = rest.indexOf('.');
        String writer = dot < 0 ? rest : rest.substring(0, dot);
        try {
          writers.add(TidemarkKeys.checkWriterId(writer));
        } catch (IllegalArgumentException e) {
          problems.put(key, String.valueOf(e.getMessage()));
        }
      }
    }
    return writers;
  }
}
