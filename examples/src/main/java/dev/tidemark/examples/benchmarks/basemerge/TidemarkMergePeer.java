package dev.tidemark.examples.benchmarks.basemerge;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.examples.benchmarks.load.PeerSettings;
import dev.tidemark.merge.BaseTableMerge;
import dev.tidemark.merge.MergeSpec;
import org.apache.iceberg.io.FileIO;

/** Tidemark's merge as a library call. */
final class TidemarkMergePeer {
  private TidemarkMergePeer() {}

  public static void main(String[] args) throws Exception {
    MergeSpec spec = MergeTables.spec(Shape.valueOf(PeerSettings.required("shape")));
    CatalogConfig catalog = catalog(LocalFileIO.class);
    CatalogConfig counting = catalog(CountingFileIO.class);
    MergeLoop.run(
        counted -> {},
        counted -> BaseTableMerge.of((counted ? counting : catalog).catalog(), spec).run());
  }

  private static CatalogConfig catalog(Class<? extends FileIO> files) {
    return CatalogConfig.of(
        "bench",
        ImmutableMap.of(
            "type", "hadoop",
            "warehouse", PeerSettings.required("warehouse"),
            "io-impl", files.getName()));
  }
}
