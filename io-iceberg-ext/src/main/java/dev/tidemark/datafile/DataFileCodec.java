package dev.tidemark.datafile;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ByteBuffers;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Opaque, versioned bytes of a data file, for runner state and shuffles.
 *
 * <p>They hold all that a commit needs: spec id, the typed partition tuple (each value in Iceberg's
 * single-value form, null apart), counts, sizes, bounds, split offsets, sort order id, key metadata
 * and first row id. Layout of version 1: the version byte, the fields in the order of {@link
 * #encode}, big-endian CRC32C of everything before it. Integers are unsigned varints, optional
 * parts start with a byte 0 or 1, maps are sorted by column id. Iceberg's own JSON form of a data
 * file takes two to three times the space and is parsed without a limit, hence this one.
 *
 * <p>Equal files encode to equal bytes.
 */
public final class DataFileCodec {
  static final byte VERSION = 1;
  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private DataFileCodec() {}

  /**
   * Encodes {@code file}, which belongs to {@code spec}.
   *
   * @throws IllegalArgumentException when {@code spec} is another than the file's
   */
  public static byte[] encode(DataFile file, PartitionSpec spec) {
    if (file.specId() != spec.specId()) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot encode data file %s: it has partition spec %s, not %s. Pass the spec of the"
                  + " file.",
              file.location(), file.specId(), spec.specId()));
    }
    ByteSink sink = new ByteSink(512);
    sink.writeByte(VERSION);
    sink.writeVarint(spec.specId());
    sink.writeText(file.location());
    sink.writeText(file.format().name());
    writePartition(sink, spec, file.partition());
    sink.writeVarint(file.recordCount());
    sink.writeVarint(file.fileSizeInBytes());
    writeMap(sink, file.columnSizes(), sink::writeVarint);
    writeMap(sink, file.valueCounts(), sink::writeVarint);
    writeMap(sink, file.nullValueCounts(), sink::writeVarint);
    writeMap(sink, file.nanValueCounts(), sink::writeVarint);
    writeMap(sink, file.lowerBounds(), bound -> sink.writeBytes(ByteBuffers.toByteArray(bound)));
    writeMap(sink, file.upperBounds(), bound -> sink.writeBytes(ByteBuffers.toByteArray(bound)));
    writeOptional(sink, file.keyMetadata(), key -> sink.writeBytes(ByteBuffers.toByteArray(key)));
    writeOptional(sink, file.splitOffsets(), offsets -> writeOffsets(sink, offsets));
    writeOptional(sink, file.sortOrderId(), id -> sink.writeVarint(id));
    writeOptional(sink, file.firstRowId(), sink::writeVarint);
    sink.writeInt(checksum(sink.bytes(), sink.size()));
    return sink.toByteArray();
  }

  /**
   * Decodes what {@link #encode} gave; {@code specs} are the table's partition specs by id.
   *
   * @throws IllegalArgumentException for bytes that are no whole data file of a known version, and
   *     for a spec that is not among {@code specs}
   */
  public static DataFile decode(byte[] bytes, Map<Integer, PartitionSpec> specs) {
    ByteSource source = checked(bytes);
    try {
      return decode(source, specs);
    } catch (UnknownSpecException e) {
      throw e;
    } catch (RuntimeException e) {
      throw invalid("its content is malformed", e);
    }
  }

  /**
   * The location of an encoded data file, for which no partition specs are needed.
   *
   * @throws IllegalArgumentException if the bytes are not those of {@link #encode}
   */
  public static String location(byte[] bytes) {
    ByteSource source = checked(bytes);
    try {
      source.readVarint();
      return source.readText();
    } catch (RuntimeException e) {
      throw invalid("its content is malformed", e);
    }
  }

  private static ByteSource checked(byte[] bytes) {
    if (bytes.length <= 1 + CHECKSUM_BYTES) {
      throw invalid("it has only " + bytes.length + " bytes", null);
    }
    if (bytes[0] != VERSION) {
      throw invalid("unknown version " + (bytes[0] & 0xff), null);
    }
    int end = bytes.length - CHECKSUM_BYTES;
    if (ByteBuffer.wrap(bytes).getInt(end) != checksum(bytes, end)) {
      throw invalid("its checksum does not match", null);
    }
    return new ByteSource(bytes, 1, end);
  }

  private static DataFile decode(ByteSource source, Map<Integer, PartitionSpec> specs) {
    int specId = source.readVarint32();
    PartitionSpec spec = specs.get(specId);
    if (spec == null) {
      throw new UnknownSpecException(specId);
    }
    DataFiles.Builder file =
        DataFiles.builder(spec)
            .withPath(source.readText())
            .withFormat(FileFormat.valueOf(source.readText()));
    readPartition(source, spec, file);
    long records = source.readVarint();
    file.withFileSizeInBytes(source.readVarint());
    file.withMetrics(
        new Metrics(
            records,
            readMap(source, ByteSource::readVarint),
            readMap(source, ByteSource::readVarint),
            readMap(source, ByteSource::readVarint),
            readMap(source, ByteSource::readVarint),
            readMap(source, DataFileCodec::readBuffer),
            readMap(source, DataFileCodec::readBuffer)));
    file.withEncryptionKeyMetadata(readOptional(source, DataFileCodec::readBuffer));
    file.withSplitOffsets(readOptional(source, DataFileCodec::readOffsets));
    Integer sortOrder = readOptional(source, ByteSource::readVarint32);
    file.withFirstRowId(readOptional(source, ByteSource::readVarint));
    source.checkEnd();
    DataFile built = file.withSortOrderId(sortOrder == null ? 0 : sortOrder).build();
    if (built.content() != FileContent.DATA) {
      throw new IllegalArgumentException("not a data file");
    }
    return built;
  }

  private static void writePartition(ByteSink sink, PartitionSpec spec, StructLike partition) {
    List<Types.NestedField> fields = spec.partitionType().fields();
    sink.writeVarint(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      Object value = partition.get(i, Object.class);
      Types.NestedField field = fields.get(i);
      writeOptional(
          sink,
          value,
          present ->
              sink.writeBytes(
                  ByteBuffers.toByteArray(Conversions.toByteBuffer(field.type(), present))));
    }
  }

  private static void readPartition(ByteSource source, PartitionSpec spec, DataFiles.Builder file) {
    List<Types.NestedField> fields = spec.partitionType().fields();
    int count = source.readVarint32();
    if (count != fields.size()) {
      throw new IllegalArgumentException(
          String.format("%s partition values, the spec has %s", count, fields.size()));
    }
    if (count == 0) {
      return;
    }
    PartitionData partition = new PartitionData(spec.partitionType());
    for (int i = 0; i < count; i++) {
      ByteBuffer value = readOptional(source, DataFileCodec::readBuffer);
      partition.set(
          i, value == null ? null : Conversions.fromByteBuffer(fields.get(i).type(), value));
    }
    file.withPartition(partition);
  }

  private static <V> void writeMap(
      ByteSink sink, @Nullable Map<Integer, V> map, Consumer<V> values) {
    if (map == null) {
      sink.writeVarint(0);
      return;
    }
    sink.writeVarint(map.size() + 1L);
    new TreeMap<>(map)
        .forEach(
            (id, value) -> {
              sink.writeVarint(id);
              values.accept(value);
            });
  }

  private static <V> @Nullable Map<Integer, V> readMap(
      ByteSource source, Function<ByteSource, V> values) {
    int count = source.readCount();
    if (count == 0) {
      return null;
    }
    Map<Integer, V> map = new TreeMap<>();
    for (int i = 1; i < count; i++) {
      map.put(source.readVarint32(), values.apply(source));
    }
    return map;
  }

  private static void writeOffsets(ByteSink sink, List<Long> offsets) {
    sink.writeVarint(offsets.size());
    offsets.forEach(sink::writeVarint);
  }

  private static List<Long> readOffsets(ByteSource source) {
    int count = source.readCount();
    List<Long> offsets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      offsets.add(source.readVarint());
    }
    return offsets;
  }

  private static <V> void writeOptional(ByteSink sink, @Nullable V value, Consumer<V> writer) {
    sink.writeByte(value == null ? 0 : 1);
    if (value != null) {
      writer.accept(value);
    }
  }

  private static <V> @Nullable V readOptional(ByteSource source, Function<ByteSource, V> reader) {
    int present = source.readByte();
    if (present != 0 && present != 1) {
      throw new IllegalArgumentException("invalid presence byte");
    }
    return present == 0 ? null : reader.apply(source);
  }

  private static ByteBuffer readBuffer(ByteSource source) {
    return ByteBuffer.wrap(source.readBytes());
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static IllegalArgumentException invalid(String reason, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        String.format(
            "Cannot decode data file: %s. The bytes were damaged or come from a newer version.",
            reason),
        cause);
  }

  private static final class UnknownSpecException extends IllegalArgumentException {
    UnknownSpecException(int specId) {
      super(
          String.format(
              "Cannot decode data file: its partition spec %s is not one of the table's. Reload the"
                  + " table; if it was dropped and made again, the file belongs to the former one.",
              specId));
    }
  }
}
