package dev.tidemark.datafile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import javax.crypto.spec.SecretKeySpec;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.types.Types;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class TableFileWriterTest {
  private static final org.apache.iceberg.Schema COLUMNS =
      new org.apache.iceberg.Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "s", Types.StringType.get()),
          Types.NestedField.optional(3, "ts", Types.TimestampType.withZone()),
          Types.NestedField.optional(4, "local", Types.TimestampType.withoutZone()),
          Types.NestedField.optional(5, "d", Types.DateType.get()),
          Types.NestedField.optional(6, "n", Types.IntegerType.get()),
          Types.NestedField.optional(7, "dec", Types.DecimalType.of(9, 2)),
          Types.NestedField.optional(8, "big", Types.DecimalType.of(30, 2)),
          Types.NestedField.optional(9, "u", Types.UUIDType.get()),
          Types.NestedField.optional(10, "bin", Types.BinaryType.get()),
          Types.NestedField.optional(11, "nano", Types.TimestampNanoType.withZone()),
          Types.NestedField.optional(
              12,
              "st",
              Types.StructType.of(Types.NestedField.optional(13, "x", Types.StringType.get()))));

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void emptyBundleMakesNoFile() throws IOException {
    Table table = table(PartitionSpec.unpartitioned());
    try (TableFileWriter writer = open(table, FileOptions.defaults())) {
      assertThat(writer.complete(), empty());
    }
    assertThat(DataFileTestUtils.parquetFiles(folder.getRoot().toPath()), empty());
  }

  @Test
  public void rowsOfEveryTransformAreReadableAndFound() throws IOException {
    List<PartitionSpec> specs =
        List.of(
            spec().hour("ts").build(),
            spec().day("ts").build(),
            spec().month("ts").build(),
            spec().year("ts").build(),
            spec().hour("nano").build(),
            spec().hour("local").day("d").build(),
            spec().month("d").build(),
            spec().year("local").build(),
            spec().identity("s").build(),
            spec().identity("d").identity("n").build(),
            spec().identity("dec").identity("big").build(),
            spec().identity("u").build(),
            spec().identity("bin").build(),
            spec().identity("st.x").build(),
            spec().bucket("id", 3).bucket("s", 3).bucket("u", 2).build(),
            spec().bucket("dec", 3).bucket("big", 2).bucket("ts", 2).build(),
            spec().bucket("bin", 2).bucket("d", 2).bucket("n", 2).build(),
            spec().truncate("s", 1).truncate("n", 7).truncate("dec", 5).build(),
            spec().truncate("bin", 1).truncate("id", 10).build(),
            spec().alwaysNull("s").hour("ts").build());
    for (PartitionSpec spec : specs) {
      assertReadableAndFound(spec, FileOptions.defaults());
      assertReadableAndFound(
          spec, FileOptions.defaults().withMaxOpenWriters(2).withSpillBufferBytes(500));
    }
  }

  private void assertReadableAndFound(PartitionSpec spec, FileOptions options) throws IOException {
    Table table = table(spec);
    List<Row> rows = rows(table, 120);
    List<DataFile> files =
        DataFileTestUtils.append(table, RowSchemas.toBeam(table.schema()), rows, options);

    assertThat(spec + "", ids(DataFileTestUtils.read(table)), equalTo(ids(rows, row -> true)));
    Set<Object> tuples = new HashSet<>();
    for (DataFile file : files) {
      assertThat("one file per partition of " + spec, tuples.add(tuple(file)), is(true));
      assertThat(file.specId(), equalTo(table.spec().specId()));
    }
    for (String name : List.of("s", "ts", "local", "d", "n", "u", "dec")) {
      assertFound(table, rows, Expressions.isNull(name), row -> row.getValue(name) == null);
    }
    for (String text : List.of("null", "a/b", "a=b", "", "😀", "__HIVE_DEFAULT_PARTITION__")) {
      assertFound(
          table, rows, Expressions.equal("s", text), row -> text.equals(row.getString("s")));
    }
    Row some = rows.stream().filter(row -> row.getValue("d") != null).findFirst().orElseThrow();
    int day = (int) ((LocalDate) some.getValue("d")).toEpochDay();
    assertFound(
        table,
        rows,
        Expressions.equal("d", day),
        row -> LocalDate.ofEpochDay(day).equals(row.getValue("d")));
    Instant time =
        rows.stream()
            .map(row -> row.<Instant>getValue("ts"))
            .filter(value -> value != null)
            .findFirst()
            .orElseThrow();
    assertFound(
        table,
        rows,
        Expressions.equal("ts", time.toString()),
        row -> time.equals(row.getValue("ts")));
  }

  private static void assertFound(
      Table table, List<Row> rows, Expression filter, java.util.function.Predicate<Row> predicate) {
    assertThat(
        table.spec() + " " + filter,
        ids(DataFileTestUtils.read(table, filter)),
        equalTo(ids(rows, predicate)));
  }

  @Test
  public void partitionValuesAreTyped() throws IOException {
    Table table = table(spec().identity("s").hour("ts").build());
    Schema schema = RowSchemas.toBeam(table.schema());
    Row nulls = fill(schema, Map.of("id", 1L));
    Row text = fill(schema, Map.of("id", 2L, "s", "null", "ts", Instant.ofEpochSecond(-1)));

    List<DataFile> files =
        DataFileTestUtils.append(table, schema, List.of(nulls, text), FileOptions.defaults());

    assertThat(
        files.stream().map(TableFileWriterTest::tuple).toList(),
        containsInAnyOrder(Arrays.asList((Object) null, null), Arrays.<Object>asList("null", -1)));
  }

  @Test
  public void filesRollAtTheTargetSizeOfTheTable() throws IOException {
    Table table =
        table(
            PartitionSpec.unpartitioned(),
            Map.of(TableProperties.WRITE_TARGET_FILE_SIZE_BYTES, "200000"));
    List<Row> rows = randomTexts(table, 20_000);

    List<DataFile> files =
        DataFileTestUtils.append(
            table, RowSchemas.toBeam(table.schema()), rows, FileOptions.defaults());

    assertThat(files.size(), greaterThan(3));
    assertThat(
        files.stream().mapToLong(DataFile::fileSizeInBytes).max().orElseThrow(),
        lessThan(400_000L));
    assertThat(DataFileTestUtils.read(table), hasSize(rows.size()));
  }

  @Test
  public void optionOverridesTheTargetSize() throws IOException {
    Table table =
        table(
            PartitionSpec.unpartitioned(),
            Map.of(TableProperties.WRITE_TARGET_FILE_SIZE_BYTES, "200000"));

    List<DataFile> files =
        DataFileTestUtils.append(
            table,
            RowSchemas.toBeam(table.schema()),
            randomTexts(table, 20_000),
            FileOptions.defaults().withTargetFileSizeBytes(1L << 30));

    assertThat(files, hasSize(1));
  }

  @Test
  public void spilledPartitionsRollToo() throws IOException {
    Table table = table(spec().bucket("id", 4).build());
    List<Row> rows = randomTexts(table, 20_000);

    List<DataFile> files =
        DataFileTestUtils.append(
            table,
            RowSchemas.toBeam(table.schema()),
            rows,
            FileOptions.defaults().withMaxOpenWriters(1).withTargetFileSizeBytes(100_000));

    assertThat(files.size(), greaterThan(4));
    assertThat(DataFileTestUtils.read(table), hasSize(rows.size()));
  }

  @Test
  public void rowGroupsFollowTheTable() throws IOException {
    Table table =
        table(
            PartitionSpec.unpartitioned(),
            Map.of(
                TableProperties.PARQUET_ROW_GROUP_SIZE_BYTES, "100000",
                TableProperties.PARQUET_COMPRESSION, "gzip"));
    List<DataFile> files =
        DataFileTestUtils.append(
            table,
            RowSchemas.toBeam(table.schema()),
            randomTexts(table, 20_000),
            FileOptions.defaults());

    ParquetMetadata footer = footer(files.get(0));

    assertThat(footer.getBlocks().size(), greaterThan(2));
    assertThat(
        files.get(0).splitOffsets(),
        equalTo(footer.getBlocks().stream().map(block -> block.getStartingPos()).toList()));
    assertThat(
        footer.getBlocks().get(0).getColumns().get(0).getCodec(),
        equalTo(CompressionCodecName.GZIP));
  }

  @Test
  public void metricsAndBloomFiltersFollowTheTable() throws IOException {
    Table table =
        table(
            PartitionSpec.unpartitioned(),
            Map.of(
                TableProperties.DEFAULT_WRITE_METRICS_MODE,
                "none",
                TableProperties.METRICS_MODE_COLUMN_CONF_PREFIX + "s",
                "truncate(4)",
                TableProperties.PARQUET_BLOOM_FILTER_COLUMN_ENABLED_PREFIX + "s",
                "true"));

    DataFile file =
        DataFileTestUtils.append(
                table,
                RowSchemas.toBeam(table.schema()),
                randomTexts(table, 100),
                FileOptions.defaults())
            .get(0);

    assertThat(file.lowerBounds().keySet(), equalTo(Set.of(2)));
    assertThat(file.lowerBounds().get(2).remaining(), equalTo(4));
    assertThat(
        footer(file).getBlocks().get(0).getColumns().get(1).getBloomFilterOffset(),
        greaterThan(0L));
  }

  @Test
  public void rowsInOrderOfArrivalAreNotDeclaredSorted() throws IOException {
    Table table = table(PartitionSpec.unpartitioned());
    table.replaceSortOrder().asc("id").commit();

    DataFile file =
        DataFileTestUtils.append(
                table, RowSchemas.toBeam(table.schema()), rows(table, 10), FileOptions.defaults())
            .get(0);

    assertThat(file.sortOrderId(), equalTo(SortOrder.unsorted().orderId()));
  }

  @Test
  public void openWritersStayBelowTheCap() throws IOException {
    Table table = table(spec().bucket("id", 50).build());
    FileOptions options = FileOptions.defaults().withMaxOpenWriters(3);
    try (TableFileWriter writer = open(table, options)) {
      for (Row row : rows(table, 1_000)) {
        writer.write(row);
        assertThat(writer.openWriters(), lessThanOrEqualTo(3));
      }
      assertThat(writer.complete(), hasSize(50));
      assertThat(writer.openWriters(), equalTo(0));
    }
  }

  @Test
  public void dataOrderedByPartitionNeedsOneFileEach() throws IOException {
    Table table = table(spec().truncate("id", 20_000).build());
    Path spillDirectory = folder.newFolder().toPath();
    Schema schema = RowSchemas.toBeam(table.schema());
    FileOptions options =
        FileOptions.defaults()
            .withMaxOpenWriters(8)
            .withSpillBufferBytes(1)
            .withSpillDirectory(spillDirectory.toString());
    try (TableFileWriter writer = TableFileWriter.open(table, schema, options)) {
      for (long id = 0; id < 400_000; id++) {
        writer.write(fill(schema, Map.of("id", id)));
      }
      try (var spilled = Files.list(spillDirectory)) {
        assertThat(spilled.toList(), empty());
      }
      assertThat(writer.complete(), hasSize(20));
    }
  }

  @Test
  public void buffersAreBounded() throws IOException {
    Table table = table(spec().bucket("id", 3).build());
    List<Row> rows = randomTexts(table, 30_000);

    List<DataFile> files =
        DataFileTestUtils.append(
            table,
            RowSchemas.toBeam(table.schema()),
            rows,
            FileOptions.defaults().withMaxBufferedBytes(1 << 20));

    assertThat(files.size(), greaterThan(3));
    assertThat(DataFileTestUtils.read(table), hasSize(rows.size()));
  }

  @Test
  public void filesAreOrderedAndNamedPerWriter() throws IOException {
    Table table = table(spec().bucket("id", 10).build());
    Schema schema = RowSchemas.toBeam(table.schema());
    List<Row> rows = rows(table, 100);
    FileOptions options = FileOptions.defaults().withFileNamePrefix("orders-eu");

    List<String> first = locations(DataFileTestUtils.append(table, schema, rows, options));
    List<String> second = locations(DataFileTestUtils.append(table, schema, rows, options));

    assertThat(first, equalTo(first.stream().sorted().toList()));
    assertThat(first, not(equalTo(second)));
    assertThat(
        first.stream().map(name -> name.substring(name.lastIndexOf('/') + 1)).toList(),
        everyItem(startsWith("00000-0-orders-eu-")));
    assertThat(DataFileTestUtils.read(table), hasSize(200));
  }

  @Test
  public void abortLeavesNoFile() throws IOException {
    Table table = table(spec().bucket("id", 10).build());
    Path spillDirectory = folder.newFolder().toPath();
    FileOptions options =
        FileOptions.defaults()
            .withMaxOpenWriters(2)
            .withTargetFileSizeBytes(20_000)
            .withSpillBufferBytes(1_000)
            .withSpillDirectory(spillDirectory.toString());
    TableFileWriter writer = open(table, options);
    randomTexts(table, 20_000).forEach(writer::write);
    assertThat(DataFileTestUtils.parquetFiles(folder.getRoot().toPath()), not(empty()));

    writer.abort();

    assertThat(DataFileTestUtils.parquetFiles(folder.getRoot().toPath()), empty());
    try (var spilled = Files.list(spillDirectory)) {
      assertThat(spilled.toList(), empty());
    }
    assertThrows(IllegalStateException.class, () -> writer.write(rows(table, 1).get(0)));
  }

  @Test
  public void closeWithoutCompleteAborts() throws IOException {
    Table table = table(PartitionSpec.unpartitioned());
    try (TableFileWriter writer =
        open(table, FileOptions.defaults().withTargetFileSizeBytes(10_000))) {
      randomTexts(table, 5_000).forEach(writer::write);
      assertThat(DataFileTestUtils.parquetFiles(folder.getRoot().toPath()), not(empty()));
    }
    assertThat(DataFileTestUtils.parquetFiles(folder.getRoot().toPath()), empty());
  }

  @Test
  public void filesHandedOverSurviveAbort() throws IOException {
    Table table = table(PartitionSpec.unpartitioned());
    TableFileWriter writer = open(table, FileOptions.defaults());
    rows(table, 10).forEach(writer::write);
    DataFileTestUtils.commit(table, writer.complete());

    writer.abort();
    writer.close();

    assertThat(DataFileTestUtils.read(table), hasSize(10));
  }

  @Test
  public void fileAccessOfTheTableStaysOpen() throws IOException {
    Table table = table(PartitionSpec.unpartitioned());
    try (TableFileWriter writer =
        open(withIo(table, new ClosableFileIO(table.io())), FileOptions.defaults())) {
      rows(table, 10).forEach(writer::write);
      DataFileTestUtils.commit(table, writer.complete());
    }
    assertThat(DataFileTestUtils.read(table), hasSize(10));
  }

  @Test
  public void copyOfTheTableThatTravelsIsEnough() throws IOException {
    Table table = table(spec().hour("ts").build());
    try (TableFileWriter writer =
        open(
            SerializableUtils.clone((SerializableTable) SerializableTable.copyOf(table)),
            FileOptions.defaults())) {
      rows(table, 50).forEach(writer::write);
      DataFileTestUtils.commit(table, writer.complete());
    }
    assertThat(DataFileTestUtils.read(table), hasSize(50));
  }

  @Test
  public void rowsOfEqualSchemasMix() throws IOException {
    Table table = table(PartitionSpec.unpartitioned());
    Schema schema = RowSchemas.toBeam(table.schema());
    try (TableFileWriter writer = TableFileWriter.open(table, schema, FileOptions.defaults())) {
      for (int i = 0; i < 3; i++) {
        Schema other = RowSchemas.toBeam(table.schema());
        other.setUUID(UUID.randomUUID());
        writer.write(fill(other, Map.of("id", 1L)));
        writer.write(fill(schema, Map.of("id", 2L)));
      }
      DataFileTestUtils.commit(table, writer.complete());
    }
    assertThat(ids(DataFileTestUtils.read(table)), equalTo(List.of(1L, 1L, 1L, 2L, 2L, 2L)));
  }

  @Test
  public void failedWriterOnlyAborts() throws IOException {
    Table table = table(PartitionSpec.unpartitioned());
    TableFileWriter writer =
        open(withIo(table, new FailingFileIO(table.io())), FileOptions.defaults());
    writer.write(rows(table, 1).get(0));

    assertThrows(RuntimeException.class, writer::complete);
    assertThrows(IllegalStateException.class, writer::complete);

    writer.abort();
    assertThat(DataFileTestUtils.parquetFiles(folder.getRoot().toPath()), empty());
  }

  @Test
  public void missingColumnsAreNullOrTheirWriteDefault() throws IOException {
    Table table = table(PartitionSpec.unpartitioned());
    table
        .updateSchema()
        .addColumn("level", Types.IntegerType.get(), Literal.of(7))
        .addColumn("note", Types.StringType.get(), Literal.of("none"))
        .addColumn("cost", Types.DecimalType.of(20, 2), Literal.of(new BigDecimal("1.50")))
        .commit();
    Schema schema = Schema.builder().addInt64Field("id").build();

    DataFileTestUtils.append(
        table,
        schema,
        List.of(Row.withSchema(schema).addValue(1L).build()),
        FileOptions.defaults());

    Record record = DataFileTestUtils.read(table).get(0);
    assertThat(record.getField("level"), equalTo(7));
    assertThat(record.getField("note"), equalTo("none"));
    assertThat(record.getField("cost"), equalTo(new BigDecimal("1.50")));
    assertThat(record.getField("st"), equalTo(null));
    assertThat(record.getField("s"), equalTo(null));
  }

  @Test
  public void columnsAreMatchedByNameNotByPosition() throws IOException {
    Table table = table(PartitionSpec.unpartitioned());
    Schema schema =
        Schema.builder()
            .addNullableField("n", Schema.FieldType.INT32)
            .addStringField("s")
            .addInt64Field("id")
            .build();

    DataFileTestUtils.append(
        table,
        schema,
        List.of(Row.withSchema(schema).addValues(3, "x", 9L).build()),
        FileOptions.defaults());

    Record record = DataFileTestUtils.read(table).get(0);
    assertThat(record.getField("id"), equalTo(9L));
    assertThat(record.getField("s"), equalTo("x"));
    assertThat(record.getField("n"), equalTo(3));
  }

  @Test
  public void encryptedTableGetsEncryptedFilesAndSpill() throws IOException {
    Table plain = table(spec().bucket("id", 4).build());
    Table table = EncryptedTables.encrypt((BaseTable) plain);
    List<Row> rows = randomTexts(table, 2_000);

    List<DataFile> files =
        DataFileTestUtils.append(
            table,
            RowSchemas.toBeam(table.schema()),
            rows,
            FileOptions.defaults().withMaxOpenWriters(1).withSpillBufferBytes(10_000));

    for (DataFile file : files) {
      assertThat(file.keyMetadata(), notNullValue());
      byte[] bytes = Files.readAllBytes(Path.of(file.location()));
      assertThat(
          new String(bytes, bytes.length - 4, 4, StandardCharsets.US_ASCII), equalTo("PARE"));
    }
    assertThat(ids(DataFileTestUtils.read(table)), equalTo(ids(rows, row -> true)));
  }

  @Test
  public void spillFileGivesBackWhatItTook() throws IOException {
    for (SecretKeySpec key : Arrays.asList(null, SpillFile.newKey())) {
      Path path = folder.newFile().toPath();
      Random random = new Random(3);
      Map<Long, byte[]> chunks = new TreeMap<>();
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try (SpillFile file = new SpillFile(channel, key)) {
        for (int i = 0; i < 50; i++) {
          byte[] chunk = new byte[1 + random.nextInt(5_000)];
          Arrays.fill(chunk, (byte) 'x');
          chunks.put(file.append(chunk, chunk.length), chunk);
        }
        for (Map.Entry<Long, byte[]> chunk : chunks.entrySet()) {
          assertThat(file.read(chunk.getKey(), chunk.getValue().length), equalTo(chunk.getValue()));
        }
      }
      String content = Files.readString(path, StandardCharsets.ISO_8859_1);
      assertThat(content.contains("xxxxxxxxxx"), is(key == null));
    }
  }

  @Test
  public void wrongRowSchemaIsRefusedAtOpen() throws IOException {
    Table table = table(PartitionSpec.unpartitioned());
    Schema schema = Schema.builder().addStringField("id").build();

    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> TableFileWriter.open(table, schema, FileOptions.defaults()));

    assertThat(e.getMessage(), containsString("column id is long"));
  }

  private static PartitionSpec.Builder spec() {
    return PartitionSpec.builderFor(COLUMNS);
  }

  private Table table(PartitionSpec spec) throws IOException {
    return table(spec, Map.of());
  }

  private Table table(PartitionSpec spec, Map<String, String> properties) throws IOException {
    return DataFileTestUtils.createTable(folder.newFolder().toPath(), COLUMNS, spec, properties);
  }

  private static TableFileWriter open(Table table, FileOptions options) {
    return TableFileWriter.open(table, RowSchemas.toBeam(table.schema()), options);
  }

  private static List<String> locations(List<DataFile> files) {
    return files.stream().map(DataFile::location).toList();
  }

  /** Few values per column, so that partitions have several rows; a quarter is null. */
  private static List<Row> rows(Table table, int count) {
    Schema schema = RowSchemas.toBeam(table.schema());
    Random random = new Random(count);
    String[] texts = {"null", "a/b", "a=b", "", "😀", "__HIVE_DEFAULT_PARTITION__"};
    List<Row> rows = new ArrayList<>();
    for (long id = 0; id < count; id++) {
      Map<String, @Nullable Object> values = new HashMap<>();
      int day = random.nextInt(4) * 20 - 30;
      Instant time = Instant.ofEpochSecond(86_400L * day + 3_600L * random.nextInt(3), 1_000);
      values.put("s", texts[random.nextInt(texts.length)]);
      values.put("ts", time);
      values.put("nano", time.plusNanos(1));
      values.put("local", LocalDateTime.ofInstant(time, ZoneOffset.UTC));
      values.put("d", LocalDate.ofEpochDay(day));
      values.put("n", random.nextInt(4) - 2);
      values.put("dec", BigDecimal.valueOf(random.nextInt(5) - 2, 2));
      values.put("big", BigDecimal.valueOf(random.nextInt(5) - 2, 2));
      values.put("u", new UUID(random.nextInt(3), 5));
      values.put("bin", new byte[] {(byte) random.nextInt(3), 1});
      values.put(
          "st",
          Row.withSchema(schema.getField("st").getType().getRowSchema())
              .addValue(random.nextBoolean() ? null : texts[random.nextInt(texts.length)])
              .build());
      values.values().removeIf(value -> random.nextInt(4) == 0);
      values.put("id", id);
      rows.add(fill(schema, values));
    }
    return rows;
  }

  private static List<Row> randomTexts(Table table, int count) {
    Schema schema = RowSchemas.toBeam(table.schema());
    Random random = new Random(count);
    List<Row> rows = new ArrayList<>();
    for (long id = 0; id < count; id++) {
      String text = Long.toString(random.nextLong(), 36) + Long.toString(random.nextLong(), 36);
      rows.add(fill(schema, Map.of("id", id, "s", text)));
    }
    return rows;
  }

  private static Row fill(Schema schema, Map<String, ? extends @Nullable Object> values) {
    List<@Nullable Object> all = new ArrayList<>();
    schema.getFieldNames().forEach(name -> all.add(values.get(name)));
    return Row.withSchema(schema).attachValues(all);
  }

  private static List<Long> ids(List<Record> records) {
    return records.stream().map(record -> (Long) record.getField("id")).sorted().toList();
  }

  private static List<Long> ids(List<Row> rows, java.util.function.Predicate<Row> predicate) {
    return rows.stream().filter(predicate).map(row -> row.getInt64("id")).sorted().toList();
  }

  private static List<Object> tuple(DataFile file) {
    StructLike partition = file.partition();
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < partition.size(); i++) {
      values.add(partition.get(i, Object.class));
    }
    return values;
  }

  private static ParquetMetadata footer(DataFile file) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            org.apache.parquet.hadoop.util.HadoopInputFile.fromPath(
                new org.apache.hadoop.fs.Path(file.location()),
                new org.apache.hadoop.conf.Configuration()))) {
      return reader.getFooter();
    }
  }

  private static Table withIo(Table table, FileIO io) {
    return new BaseTable(
        new EncryptedTables.DelegatingOperations(((BaseTable) table).operations()) {
          @Override
          public FileIO io() {
            return io;
          }
        },
        table.name());
  }

  /** Fails the test when somebody closes it. */
  private static class ClosableFileIO extends EncryptedTables.DelegatingFileIO {
    ClosableFileIO(FileIO io) {
      super(io);
    }

    @Override
    public void close() {
      throw new AssertionError("The table's FileIO was closed.");
    }
  }

  private static final class FailingFileIO extends ClosableFileIO {
    FailingFileIO(FileIO io) {
      super(io);
    }

    @Override
    public org.apache.iceberg.io.OutputFile newOutputFile(String path) {
      return new EncryptedTables.DelegatingOutputFile(super.newOutputFile(path)) {
        @Override
        public org.apache.iceberg.io.PositionOutputStream createOrOverwrite() {
          throw new UncheckedIOException(new IOException("disk full"));
        }
      };
    }
  }
}
