package dev.tidemark.examples.benchmarks.basemerge;

import dev.tidemark.examples.benchmarks.load.PeerSettings;
import java.nio.file.Path;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.SparkSession;

/**
 * Spark's {@code MERGE INTO} of what was appended to the change table since the base table consumed
 * it last. Option {@code merge-on-read} or {@code copy-on-write} says how it writes. Everything else
 * is Spark's default, but for the shuffle partitions: as many as processors, not two hundred.
 */
final class SparkMergePeer {
  private static final String PLAIN = "plain";
  private static final String COUNTED = "counted";

  private final SparkSession spark;

  private SparkMergePeer(SparkSession spark) {
    this.spark = spark;
  }

  public static void main(String[] args) throws Exception {
    int processors = Runtime.getRuntime().availableProcessors();
    SparkSession.Builder session =
        SparkSession.builder()
            .appName("merge")
            .master("local[" + processors + "]")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.log.level", "WARN")
            .config("spark.sql.shuffle.partitions", processors)
            .config("spark.sql.session.timeZone", "UTC")
            .config(
                "spark.local.dir",
                Path.of(PeerSettings.required("warehouse")).resolveSibling("spark").toString())
            .config(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
            .config("spark.sql.catalog.plain.io-impl", LocalFileIO.class.getName())
            .config("spark.sql.catalog.counted.io-impl", CountingFileIO.class.getName());
    for (String catalog : new String[] {PLAIN, COUNTED}) {
      String prefix = "spark.sql.catalog." + catalog;
      session
          .config(prefix, "org.apache.iceberg.spark.SparkCatalog")
          .config(prefix + ".type", "hadoop")
          .config(prefix + ".warehouse", PeerSettings.required("warehouse"))
          .config(prefix + ".cache-enabled", "false");
    }
    SparkMergePeer peer = new SparkMergePeer(session.getOrCreate());
    MergeLoop.run(counted -> peer.prepare(), peer::merge);
  }

  private void prepare() {
    String mode = PeerSettings.has("merge-on-read") ? "merge-on-read" : "copy-on-write";
    spark.sql(
        "ALTER TABLE plain.bench.%s SET TBLPROPERTIES ('write.merge.mode'='%s')"
            .formatted(PeerSettings.required("base"), mode));
  }

  private void merge(boolean counted) throws Exception {
    String database = (counted ? COUNTED : PLAIN) + ".bench.";
    String changes = database + PeerSettings.required("changes");
    Table base = Spark3Util.loadIcebergTable(spark, database + PeerSettings.required("base"));
    String consumed =
        "tidemark.source." + PeerSettings.required("source") + ".consumed-snapshot-id";
    spark
        .read()
        .option("start-snapshot-id", base.properties().get(consumed))
        .option(
            "end-snapshot-id",
            Spark3Util.loadIcebergTable(spark, changes).currentSnapshot().snapshotId())
        .table(changes)
        .createOrReplaceTempView("new_changes");
    spark.sql(
        """
        MERGE INTO %s b
        USING (
          SELECT * FROM (
            SELECT *, row_number() OVER (PARTITION BY id ORDER BY _position DESC) AS nth
            FROM new_changes)
          WHERE nth = 1) c
        ON b.id = c.id%s
        WHEN MATCHED AND c._kind IN ('-D', '-U') THEN DELETE
        WHEN MATCHED THEN UPDATE SET
          region = c.region, customer = c.customer, status = c.status, amount = c.amount,
          placed = c.placed, note = c.note
        WHEN NOT MATCHED AND c._kind NOT IN ('-D', '-U') THEN
          INSERT (id, region, customer, status, amount, placed, note)
          VALUES (c.id, c.region, c.customer, c.status, c.amount, c.placed, c.note)
        """
            .formatted(
                database + PeerSettings.required("base"), PeerSettings.required("condition")));
  }
}
