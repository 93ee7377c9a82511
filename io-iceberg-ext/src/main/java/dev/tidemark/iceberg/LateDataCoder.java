package dev.tidemark.iceberg;

import com.google.common.collect.ImmutableSortedMap;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.BooleanCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.InstantCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.joda.time.Duration;
import org.joda.time.Instant;

/** Version byte 1, then the fields in the order of their declaration. */
final class LateDataCoder extends AtomicCoder<LateData> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final Coder<String> NULLABLE_TEXT = NullableCoder.of(StringUtf8Coder.of());

  @Override
  public void encode(LateData value, OutputStream out) throws IOException {
    out.write(VERSION);
    StringUtf8Coder.of().encode(value.table(), out);
    NULLABLE_TEXT.encode(value.writer(), out);
    VarLongCoder.of().encode(value.snapshotId(), out);
    InstantCoder.of().encode(value.watermark(), out);
    VarIntCoder.of().encode(value.recordsByHour().size(), out);
    for (Map.Entry<Instant, Long> entry : value.recordsByHour().entrySet()) {
      InstantCoder.of().encode(entry.getKey(), out);
      VarLongCoder.of().encode(entry.getValue(), out);
    }
    VarLongCoder.of().encode(value.width().getMillis(), out);
    VarLongCoder.of().encode(value.records(), out);
    BooleanCoder.of().encode(value.exact(), out);
  }

  @Override
  public LateData decode(InputStream in) throws IOException {
    int version = in.read();
    if (version != VERSION) {
      throw new CoderException(
          "Cannot decode late data: unknown version " + version + " (must be 1)");
    }
    String table = StringUtf8Coder.of().decode(in);
    String writer = NULLABLE_TEXT.decode(in);
    long snapshotId = VarLongCoder.of().decode(in);
    Instant watermark = InstantCoder.of().decode(in);
    int hours = VarIntCoder.of().decode(in);
    ImmutableSortedMap.Builder<Instant, Long> byHour = ImmutableSortedMap.naturalOrder();
    for (int i = 0; i < hours; i++) {
      byHour.put(InstantCoder.of().decode(in), VarLongCoder.of().decode(in));
    }
    return LateData.of(
        table,
        writer,
        snapshotId,
        watermark,
        byHour.build(),
        Duration.millis(VarLongCoder.of().decode(in)),
        VarLongCoder.of().decode(in),
        BooleanCoder.of().decode(in));
  }
}
