package dev.tidemark.examples.benchmarks.basemerge;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.examples.benchmarks.load.PeerSettings;
import dev.tidemark.merge.BaseTableMerge;
import dev.tidemark.merge.MergeSpec;

/** Tidemark's merge as a library call. */
final class TidemarkMergePeer {
  private TidemarkMergePeer() {}

  public static void main(String[] args) throws Exception {
    MergeSpec spec = MergeTables.spec(Shape.valueOf(PeerSettings.required("shape")));
    CatalogConfig catalog = catalog(ImmutableMap.of());
    CatalogConfig counting = catalog(ImmutableMap.of("io-impl", CountingFileIO.class.getName()));
    MergeLoop.run(
        counted -> {},
        counted -> BaseTableMerge.of((counted ? counting : catalog).catalog(), spec).run());
  }

  private static CatalogConfig catalog(ImmutableMap<String, String> more) {
    return CatalogConfig.of(
        "bench",
        ImmutableMap.<String, String>builder()
            .put("type", "hadoop")
            .put("warehouse", PeerSettings.required("warehouse"))
            .putAll(more)
            .buildOrThrow());
  }
}
