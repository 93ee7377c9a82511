package dev.tidemark.datafile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.io.File;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Five thousand partitions in one bundle, in a process of its own with half a gigabyte of heap. */
@RunWith(JUnit4.class)
public class ManyPartitionsTest {
  private static final int PARTITIONS = 5_000;
  private static final int ROWS = Boolean.getBoolean("tidemark.long") ? 2_000_000 : 60_000;
  private static final int TEXT_COLUMNS = 10;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void fiveThousandPartitionsFitSmallHeap() throws Exception {
    File output = folder.newFile("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+ExitOnOutOfMemoryError",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dtidemark.long=" + Boolean.getBoolean("tidemark.long"),
                "-cp",
                System.getProperty("java.class.path"),
                ManyPartitionsTest.class.getName(),
                folder.newFolder().getPath())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();

    int exit = process.waitFor();

    assertThat(java.nio.file.Files.readString(output.toPath()), exit, equalTo(0));
  }

  /**
   * Writes the bundle below the directory given; fails unless each partition has one whole file.
   */
  public static void main(String[] arguments) {
    Schema.Builder fields =
        Schema.builder().addInt64Field("id").addLogicalTypeField("ts", SqlTypes.TIMESTAMP);
    for (int i = 0; i < TEXT_COLUMNS; i++) {
      fields.addStringField("text" + i);
    }
    Schema schema = fields.build();
    org.apache.iceberg.Schema columns = RowSchemas.toIceberg(schema);
    Table table =
        DataFileTestUtils.createTable(
            Path.of(arguments[0]),
            columns,
            PartitionSpec.builderFor(columns).hour("ts").build(),
            Map.of());
    long start = System.nanoTime();
    List<DataFile> files;
    try (TableFileWriter writer = TableFileWriter.open(table, schema, FileOptions.defaults())) {
      Random random = new Random(1);
      for (long id = 0; id < ROWS; id++) {
        Object[] values = new Object[2 + TEXT_COLUMNS];
        values[0] = id;
        values[1] = Instant.ofEpochSecond(3_600L * random.nextInt(PARTITIONS));
        for (int i = 0; i < TEXT_COLUMNS; i++) {
          values[2 + i] = Long.toString(random.nextLong(), 36);
        }
        writer.write(Row.withSchema(schema).attachValues(values));
      }
      files = writer.complete();
    }
    System.out.printf(
        "%d rows, %d files, %d ms%n", ROWS, files.size(), (System.nanoTime() - start) / 1_000_000);
    Set<Object> hours = new HashSet<>();
    long rows = 0;
    for (DataFile file : files) {
      rows += file.recordCount();
      if (!hours.add(file.partition().get(0, Object.class))) {
        throw new AssertionError("Two files of one partition");
      }
    }
    if (rows != ROWS || hours.size() != PARTITIONS) {
      throw new AssertionError(rows + " rows, " + hours.size() + " partitions");
    }
  }
}
