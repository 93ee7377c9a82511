package dev.tidemark.operator;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.StoredKeys;
import dev.tidemark.commit.TidemarkKeys;
import java.util.Map;
import org.apache.iceberg.TableMetadata;

/** Whether what is stored can be read. */
final class KeyChecks {
  private static final String CHECK = "keys";

  private KeyChecks() {}

  static ImmutableList<Finding> of(TableMetadata metadata, TidemarkKeys keys) {
    ImmutableList.Builder<Finding> findings = ImmutableList.builder();
    Map<String, String> problems = StoredKeys.problems(metadata.properties(), keys);
    problems.forEach(
        (key, problem) ->
            findings.add(
                Finding.error(
                    CHECK,
                    "Property %s cannot be read: %s".formatted(key, problem),
                    remedy(key, keys))));
    String millis = metadata.properties().get(keys.finalizedUntilMillis());
    String until = StoredKeys.untilMillis(metadata.properties(), keys);
    if (millis != null && until != null && !millis.equals(until)) {
      findings.add(
          Finding.error(
              CHECK,
              "Property %s says %s, and %s comes to %s: somebody edited one of them"
                  .formatted(keys.finalizedUntilMillis(), millis, keys.finalizedUntil(), until),
              "Find out which is right, and reset the watermark to it."));
    }
    ImmutableList<Finding> found = findings.build();
    int owned = TidemarkKeys.owned(metadata.properties()).size();
    return found.isEmpty()
        ? ImmutableList.of(
            Finding.ok(CHECK, "All of the %d properties of Tidemark can be read".formatted(owned)))
        : found;
  }

  private static String remedy(String key, TidemarkKeys keys) {
    if (key.startsWith(keys.window("x").substring(0, keys.window("x").length() - 1))) {
      return "Nothing: the writer's next commits replace it. Until then the watermark waits.";
    } else if (key.equals(keys.writers())) {
      return "List writer ids separated by commas.";
    } else if (key.equals(keys.operations())) {
      return "Restore it from an older metadata file, or lose it: the next act begins it anew.";
    }
    return "Restore the property from an older metadata file.";
  }
}
