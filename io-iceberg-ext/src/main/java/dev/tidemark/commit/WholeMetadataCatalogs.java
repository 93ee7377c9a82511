package dev.tidemark.commit;

import com.google.common.collect.ImmutableSet;
import org.apache.iceberg.TableOperations;

/** Catalogs known to swap whole metadata: a commit on a stale base fails, whatever changed. */
final class WholeMetadataCatalogs {
  // By name: most of these classes are not on the class path, or not public.
  private static final ImmutableSet<String> OPERATIONS =
      ImmutableSet.of(
          "org.apache.iceberg.hadoop.HadoopTableOperations",
          "org.apache.iceberg.jdbc.JdbcTableOperations",
          "org.apache.iceberg.inmemory.InMemoryCatalog$InMemoryTableOperations",
          "org.apache.iceberg.hive.HiveTableOperations",
          "org.apache.iceberg.aws.glue.GlueTableOperations",
          "org.apache.iceberg.aws.dynamodb.DynamoDbTableOperations");

  private WholeMetadataCatalogs() {}

  static boolean contain(TableOperations operations) {
    return OPERATIONS.contains(operations.getClass().getName());
  }
}
