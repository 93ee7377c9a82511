package dev.tidemark.change;

import com.google.common.collect.ImmutableMap;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.CoderProvider;
import org.apache.beam.sdk.coders.CoderProviders;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.util.VarInt;
import org.apache.beam.sdk.values.TypeDescriptor;

/**
 * Encodes {@link DebeziumRecord}s; deterministic as far as the order of headers is.
 *
 * <p>Version 1: version byte, topic, number of headers (varint), their names and values in order,
 * then key and value, each with a presence byte and length.
 */
public final class DebeziumRecordCoder extends AtomicCoder<DebeziumRecord> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final DebeziumRecordCoder INSTANCE = new DebeziumRecordCoder();
  private static final StringUtf8Coder TEXT = StringUtf8Coder.of();
  private static final NullableCoder<byte[]> BYTES = NullableCoder.of(ByteArrayCoder.of());

  private DebeziumRecordCoder() {}

  /** The coder. */
  public static DebeziumRecordCoder of() {
    return INSTANCE;
  }

  /** For {@code @DefaultCoder}. */
  public static CoderProvider getCoderProvider() {
    return CoderProviders.forCoder(TypeDescriptor.of(DebeziumRecord.class), INSTANCE);
  }

  @Override
  public void encode(DebeziumRecord record, OutputStream out) throws IOException {
    out.write(VERSION);
    TEXT.encode(record.topic(), out);
    VarInt.encode(record.headers().size(), out);
    for (Map.Entry<String, String> header : record.headers().entrySet()) {
      TEXT.encode(header.getKey(), out);
      TEXT.encode(header.getValue(), out);
    }
    BYTES.encode(record.keyBytes(), out);
    BYTES.encode(record.valueBytes(), out);
  }

  @Override
  public DebeziumRecord decode(InputStream in) throws IOException {
    int version = new DataInputStream(in).readUnsignedByte();
    if (version != VERSION) {
      throw new CoderException(
          String.format(
              "Cannot decode Debezium record: version %d is not known (must be %d). Run the release that wrote it",
              version, VERSION));
    }
    String topic = TEXT.decode(in);
    int count = VarInt.decodeInt(in);
    ImmutableMap.Builder<String, String> headers = ImmutableMap.builder();
    for (int i = 0; i < count; i++) {
      headers.put(TEXT.decode(in), TEXT.decode(in));
    }
    byte[] key = BYTES.decode(in);
    byte[] value = BYTES.decode(in);
    return DebeziumRecord.of(topic, key, value).withHeaders(headers.buildOrThrow());
  }

  @Override
  public boolean consistentWithEquals() {
    return true;
  }
}
