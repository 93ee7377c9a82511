package dev.tidemark.eventtime;

import java.util.HexFormat;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.util.CoderUtils;

/** Encodes and decodes values in tests. */
final class Coders {
  private Coders() {}

  static EventTimeStats roundTrip(EventTimeStats stats) throws Exception {
    return roundTrip(EventTimeStatsCoder.of(), stats);
  }

  static <T> T roundTrip(Coder<T> coder, T value) throws Exception {
    return CoderUtils.decodeFromByteArray(coder, CoderUtils.encodeToByteArray(coder, value));
  }

  static <T> String hex(Coder<T> coder, T value) throws Exception {
    return HexFormat.of().formatHex(CoderUtils.encodeToByteArray(coder, value));
  }

  static <T> T fromHex(Coder<T> coder, String hex) throws Exception {
    return CoderUtils.decodeFromByteArray(coder, HexFormat.of().parseHex(hex));
  }
}
