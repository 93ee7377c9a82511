package dev.tidemark.examples.demo;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.examples.cdc.SourceTable;
import dev.tidemark.examples.cdc.SourceTables;
import java.util.Map;

/** Merges what is new of one table of the shop, in a process of its own. */
final class MergeOnce {
  private MergeOnce() {}

  /**
   * Merges, and prints {@code operations N}: how many files were opened or deleted.
   *
   * @param args warehouse, declaration of the tables, table, namespace of the base table
   */
  public static void main(String[] args) {
    CatalogConfig catalog =
        CatalogConfig.of(
            "demo",
            Map.of(
                "type", "hadoop", "warehouse", args[0], "io-impl", EndingFileIO.class.getName()));
    for (SourceTable table : SourceTables.read(args[1])) {
      if (table.name().equals(args[2])) {
        BaseTables.in(catalog, args[3]).merge(table);
      }
    }
    System.out.println("operations " + EndingFileIO.count());
  }
}
