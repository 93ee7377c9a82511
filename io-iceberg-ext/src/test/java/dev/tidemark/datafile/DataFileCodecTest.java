package dev.tidemark.datafile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.lessThan;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.BaseEncoding;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class DataFileCodecTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.optional(1, "name", Types.StringType.get()),
          Types.NestedField.optional(2, "at", Types.TimestampType.withZone()),
          Types.NestedField.optional(3, "id", Types.LongType.get()),
          Types.NestedField.optional(4, "price", Types.DecimalType.of(20, 2)),
          Types.NestedField.optional(5, "key", Types.UUIDType.get()),
          Types.NestedField.optional(6, "raw", Types.BinaryType.get()),
          Types.NestedField.optional(7, "day", Types.DateType.get()));
  private static final PartitionSpec SPEC =
      PartitionSpec.builderFor(SCHEMA)
          .withSpecId(7)
          .identity("name")
          .hour("at")
          .day("day")
          .bucket("id", 16)
          .identity("price")
          .identity("key")
          .identity("raw")
          .build();
  private static final PartitionSpec UNPARTITIONED = PartitionSpec.unpartitioned();
  private static final Map<Integer, PartitionSpec> SPECS = Map.of(7, SPEC, 0, UNPARTITIONED);

  private static final int ROUNDS = Boolean.getBoolean("tidemark.long") ? 500_000 : 5_000;

  /** Version 1, made by the release that introduced it. */
  private static final String GOLDEN =
      "01072d73333a2f2f6275636b65742f646174612f6e616d653d61253246622f30303030302d302d78"
          + "2e706172717565740750415251554554070106612f623dc3a40104efffffff0104204e000001040f"
          + "0000000109ff54ab567314e0f52e01100000000000000001fffffffffffffffe01030100ffe80794"
          + "b4e4f4cb030301640380d0acf30e0301e80703e80703010003070208010203080000000000000080"
          + "0201027a7a0103090807010204808080400100012a2066a9e2";

  @Test
  public void everythingRoundTrips() {
    DataFile file = fullFile();

    DataFile decoded = DataFileCodec.decode(DataFileCodec.encode(file, SPEC), SPECS);

    assertThat(json(decoded, SPEC), equalTo(json(file, SPEC)));
    assertThat(decoded.specId(), equalTo(7));
    for (int i = 0; i < SPEC.fields().size(); i++) {
      assertThat(
          decoded.partition().get(i, Object.class), equalTo(file.partition().get(i, Object.class)));
    }
  }

  @Test
  public void nullsAndAbsentPartsRoundTrip() {
    DataFile file =
        DataFiles.builder(SPEC)
            .withPath("s3://b/x.parquet")
            .withFormat(FileFormat.PARQUET)
            .withPartition(new PartitionData(SPEC.partitionType()))
            .withRecordCount(1)
            .withFileSizeInBytes(4)
            .build();

    DataFile decoded = DataFileCodec.decode(DataFileCodec.encode(file, SPEC), SPECS);

    assertThat(json(decoded, SPEC), equalTo(json(file, SPEC)));
  }

  @Test
  public void unpartitionedFilesRoundTrip() {
    DataFile file =
        DataFiles.builder(UNPARTITIONED)
            .withPath("x.parquet")
            .withRecordCount(Long.MAX_VALUE)
            .withFileSizeInBytes(Long.MAX_VALUE)
            .build();

    DataFile decoded = DataFileCodec.decode(DataFileCodec.encode(file, UNPARTITIONED), SPECS);

    assertThat(json(decoded, UNPARTITIONED), equalTo(json(file, UNPARTITIONED)));
  }

  @Test
  public void confusablePartitionValuesStayApart() {
    for (String name :
        new String[] {"", "null", "a/b", "a=b", "__HIVE_DEFAULT_PARTITION__", "😀"}) {
      PartitionData partition = new PartitionData(SPEC.partitionType());
      partition.set(0, name);
      DataFile file = DataFiles.builder(SPEC).copy(fullFile()).withPartition(partition).build();

      DataFile decoded = DataFileCodec.decode(DataFileCodec.encode(file, SPEC), SPECS);

      assertThat(decoded.partition().get(0, String.class), equalTo(name));
    }
  }

  @Test
  public void goldenBytesOfVersionOneStayReadable() {
    byte[] golden = BaseEncoding.base16().lowerCase().decode(GOLDEN);

    assertThat(json(DataFileCodec.decode(golden, SPECS), SPEC), equalTo(json(fullFile(), SPEC)));
    assertThat(
        BaseEncoding.base16().lowerCase().encode(DataFileCodec.encode(fullFile(), SPEC)),
        equalTo(GOLDEN));
  }

  @Test
  public void bytesAreSmallerThanJson() {
    int json = json(fullFile(), SPEC).getBytes(StandardCharsets.UTF_8).length;

    assertThat(2 * DataFileCodec.encode(fullFile(), SPEC).length, lessThan(json));
  }

  @Test
  public void everyCutIsRefused() {
    byte[] bytes = DataFileCodec.encode(fullFile(), SPEC);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> DataFileCodec.decode(cut, SPECS));
    }
  }

  @Test
  public void everyFlippedBitIsRefused() {
    byte[] bytes = DataFileCodec.encode(fullFile(), SPEC);
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThrows(IllegalArgumentException.class, () -> DataFileCodec.decode(flipped, SPECS));
    }
  }

  /** Bytes that someone made to match the checksum. */
  @Test
  public void hostileContentIsRefusedOrHarmless() {
    Random random = new Random(5);
    byte[] bytes = DataFileCodec.encode(fullFile(), SPEC);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] hostile = bytes.clone();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        hostile[1 + random.nextInt(hostile.length - 5)] = (byte) random.nextInt();
      }
      seal(hostile);
      try {
        DataFileCodec.decode(hostile, SPECS);
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage(), containsString("Cannot decode data file"));
      }
    }
  }

  @Test
  public void unknownVersionIsNamed() {
    byte[] bytes = DataFileCodec.encode(fullFile(), SPEC);
    bytes[0] = 9;
    seal(bytes);

    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> DataFileCodec.decode(bytes, SPECS));

    assertThat(e.getMessage(), containsString("unknown version 9"));
  }

  @Test
  public void unknownSpecIsNamed() {
    byte[] bytes = DataFileCodec.encode(fullFile(), SPEC);

    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> DataFileCodec.decode(bytes, Map.of()));

    assertThat(e.getMessage(), containsString("partition spec 7 is not one of the table's"));
  }

  @Test
  public void wrongSpecIsRefusedWhenEncoding() {
    assertThrows(
        IllegalArgumentException.class, () -> DataFileCodec.encode(fullFile(), UNPARTITIONED));
  }

  private static void seal(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - 4);
    ByteBuffer.wrap(bytes).putInt(bytes.length - 4, (int) crc.getValue());
  }

  private static String json(DataFile file, PartitionSpec spec) {
    return ContentFileParser.toJson(file, spec);
  }

  private static DataFile fullFile() {
    PartitionData partition = new PartitionData(SPEC.partitionType());
    partition.set(0, "a/b=\u00e4");
    partition.set(1, -17);
    partition.set(2, 20_000);
    partition.set(3, 15);
    partition.set(4, new BigDecimal("-123456789012345678.90"));
    partition.set(5, new UUID(1, -2));
    partition.set(6, ByteBuffer.wrap(new byte[] {1, 0, -1}));
    ByteBuffer low = Conversions.toByteBuffer(Types.LongType.get(), Long.MIN_VALUE);
    ByteBuffer high = Conversions.toByteBuffer(Types.StringType.get(), "zz");
    return DataFiles.builder(SPEC)
        .withPath("s3://bucket/data/name=a%2Fb/00000-0-x.parquet")
        .withFormat(FileFormat.PARQUET)
        .withPartition(partition)
        .withFileSizeInBytes(123_456_789_012L)
        .withMetrics(
            new Metrics(
                1_000L,
                ImmutableMap.of(1, 100L, 3, 4_000_000_000L),
                ImmutableMap.of(1, 1_000L, 3, 1_000L),
                ImmutableMap.of(1, 0L, 3, 7L),
                ImmutableMap.of(8, 1L),
                ImmutableMap.of(3, low),
                ImmutableMap.of(1, high)))
        .withEncryptionKeyMetadata(ByteBuffer.wrap(new byte[] {9, 8, 7}))
        .withSplitOffsets(List.of(4L, 134_217_728L))
        .withSortOrderId(0)
        .withFirstRowId(42L)
        .build();
  }
}
