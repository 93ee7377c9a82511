package dev.tidemark.datafile;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.beam.sdk.schemas.logicaltypes.EnumerationType;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.parquet.io.api.Binary;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Loaders of strings, bytes and UUIDs. */
final class BinaryLoaders {
  private static final int UUID_BYTES = 16;

  private BinaryLoaders() {}

  static final class StringLoader extends Loader {
    private final BinaryTrack track;

    StringLoader(String path, Types.NestedField field, BinaryTrack track) {
      super(path, field);
      this.track = track;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
      } else {
        // Backed by an array, not by a buffer: dictionaries hash and compare it faster.
        track.add(Binary.fromConstantByteArray(((String) value).getBytes(StandardCharsets.UTF_8)));
      }
    }
  }

  /** Enumeration values by name; the UTF-8 of each name is made once. */
  static final class EnumLoader extends Loader {
    private final BinaryTrack track;
    private final EnumerationType type;

    EnumLoader(String path, Types.NestedField field, BinaryTrack track, EnumerationType type) {
      super(path, field);
      this.track = track;
      this.type = type;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
        return;
      }
      String name = type.getEnumName(((EnumerationType.Value) value).getValue());
      if (name == null) {
        throw rejected("got a number that its enumeration does not name");
      }
      track.add(Binary.fromConstantByteArray(name.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** Bytes of any length, or of the one that a fixed column declares. */
  static final class BytesLoader extends Loader {
    private static final int ANY_LENGTH = -1;
    private final BinaryTrack track;
    private final int length;

    BytesLoader(String path, Types.NestedField field, BinaryTrack track) {
      super(path, field);
      this.track = track;
      this.length =
          field.type().typeId() == Type.TypeID.FIXED
              ? ((Types.FixedType) field.type()).length()
              : ANY_LENGTH;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
        return;
      }
      byte[] bytes = (byte[]) value;
      if (length != ANY_LENGTH && bytes.length != length) {
        throw rejected("got " + bytes.length + " bytes");
      }
      track.add(Binary.fromReusedByteArray(bytes));
    }
  }

  static final class UuidLoader extends Loader {
    private final BinaryTrack track;

    UuidLoader(String path, Types.NestedField field, BinaryTrack track) {
      super(path, field);
      this.track = track;
    }

    @Override
    void load(@Nullable Object value) {
      if (value == null) {
        checkNullable();
        track.addNull();
        return;
      }
      UUID uuid = (UUID) value;
      byte[] bytes = track.buffer(UUID_BYTES);
      put(bytes, 0, uuid.getMostSignificantBits());
      put(bytes, Long.BYTES, uuid.getLeastSignificantBits());
      track.add(Binary.fromReusedByteArray(bytes));
    }

    private static void put(byte[] bytes, int offset, long value) {
      for (int i = 0; i < Long.BYTES; i++) {
        bytes[offset + i] = (byte) (value >>> (56 - 8 * i));
      }
    }
  }
}
