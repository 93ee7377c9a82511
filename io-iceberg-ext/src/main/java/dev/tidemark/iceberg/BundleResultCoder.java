package dev.tidemark.iceberg;

import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.eventtime.EventTimeStats;
import dev.tidemark.eventtime.EventTimeStatsCoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VarLongCoder;

/**
 * Version byte 1, table UUID, files, rows, event time, accumulators by ascending name. Lives in
 * checkpoints and savepoints.
 */
final class BundleResultCoder extends AtomicCoder<BundleResult> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final Coder<List<byte[]>> FILES = ListCoder.of(ByteArrayCoder.of());
  private static final Coder<EventTimeStats> EVENT_TIME =
      NullableCoder.of(EventTimeStatsCoder.of());

  @Override
  public void encode(BundleResult value, OutputStream out) throws IOException {
    out.write(VERSION);
    StringUtf8Coder.of().encode(value.tableUuid(), out);
    FILES.encode(value.files(), out);
    VarLongCoder.of().encode(value.rows(), out);
    EVENT_TIME.encode(value.eventTime(), out);
    VarIntCoder.of().encode(value.accumulators().size(), out);
    for (Map.Entry<String, byte[]> entry : value.accumulators().entrySet()) {
      StringUtf8Coder.of().encode(entry.getKey(), out);
      ByteArrayCoder.of().encode(entry.getValue(), out);
    }
  }

  @Override
  public BundleResult decode(InputStream in) throws IOException {
    int version = in.read();
    if (version != VERSION) {
      throw new CoderException(
          "Cannot decode bundle result: unknown version " + version + " (must be 1)");
    }
    String uuid = StringUtf8Coder.of().decode(in);
    List<byte[]> files = new ArrayList<>(FILES.decode(in));
    long rows = VarLongCoder.of().decode(in);
    EventTimeStats eventTime = EVENT_TIME.decode(in);
    int count = VarIntCoder.of().decode(in);
    ImmutableSortedMap.Builder<String, byte[]> accumulators = ImmutableSortedMap.naturalOrder();
    for (int i = 0; i < count; i++) {
      accumulators.put(StringUtf8Coder.of().decode(in), ByteArrayCoder.of().decode(in));
    }
    return BundleResult.of(uuid, files, rows, eventTime, accumulators.build());
  }
}
