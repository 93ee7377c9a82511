package dev.tidemark.commit;

import com.google.common.collect.ImmutableMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.hadoop.HadoopCatalog;

/**
 * Properties that keep the metadata of a table small which is committed to every few seconds or
 * minutes.
 */
public final class NewTableDefaults {
  private NewTableDefaults() {}

  /**
   * The properties to create a table with: defaults of this catalog, and what the user sets, which
   * counts first.
   *
   * <p>Metadata is compressed, and old metadata files are deleted as new ones come. Not so in a
   * Hadoop catalog: it refuses a stale commit because the next version's file exists, so a commit
   * that was held up until that file had been deleted would win, and all commits in between would
   * be lost.
   */
  public static ImmutableMap<String, String> with(Catalog catalog, Map<String, String> properties) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(TableProperties.METADATA_COMPRESSION, "gzip");
    if (!(catalog instanceof HadoopCatalog)) {
      all.put(TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true");
    }
    all.putAll(properties);
    return ImmutableMap.copyOf(all);
  }
}
