package dev.tidemark.commit;

import com.google.common.collect.ImmutableMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.iceberg.TableProperties;

/**
 * Properties that keep the metadata of a table small which is committed to every few seconds or
 * minutes.
 */
public final class NewTableDefaults {
  private static final ImmutableMap<String, String> DEFAULTS =
      ImmutableMap.of(
          TableProperties.METADATA_COMPRESSION, "gzip",
          TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true");

  private NewTableDefaults() {}

  /**
   * The properties to create a table with: these defaults, and what the user sets, which counts
   * first.
   */
  public static ImmutableMap<String, String> with(Map<String, String> properties) {
    Map<String, String> all = new LinkedHashMap<>(DEFAULTS);
    all.putAll(properties);
    return ImmutableMap.copyOf(all);
  }
}
