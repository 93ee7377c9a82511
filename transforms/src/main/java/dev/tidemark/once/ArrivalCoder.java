package dev.tidemark.once;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.beam.sdk.coders.BigEndianLongCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.StructuredCoder;
import org.joda.time.Instant;

/** One byte for the kind, then the element, or the heartbeat's watermark and time in millis. */
final class ArrivalCoder<T> extends StructuredCoder<Arrival<T>> {
  private static final long serialVersionUID = 1L;
  private static final int ELEMENT = 0x10;
  private static final int HEARTBEAT = 0x11;
  private static final BigEndianLongCoder LONG = BigEndianLongCoder.of();

  private final Coder<T> elementCoder;

  private ArrivalCoder(Coder<T> elementCoder) {
    this.elementCoder = elementCoder;
  }

  static <T> ArrivalCoder<T> of(Coder<T> elementCoder) {
    return new ArrivalCoder<>(elementCoder);
  }

  @Override
  public void encode(Arrival<T> value, OutputStream out) throws IOException {
    Heartbeat heartbeat = value.heartbeat();
    if (heartbeat == null) {
      out.write(ELEMENT);
      elementCoder.encode(value.element(), out);
    } else {
      out.write(HEARTBEAT);
      LONG.encode(heartbeat.inputWatermark().getMillis(), out);
      LONG.encode(heartbeat.at().getMillis(), out);
    }
  }

  @Override
  public Arrival<T> decode(InputStream in) throws IOException {
    int kind = in.read();
    return switch (kind) {
      case ELEMENT -> Arrival.element(elementCoder.decode(in));
      case HEARTBEAT ->
          Arrival.heartbeat(
              Heartbeat.of(
                  Instant.ofEpochMilli(LONG.decode(in)), Instant.ofEpochMilli(LONG.decode(in))));
      default ->
          throw new CoderException(
              "Cannot decode arrival: unknown version and kind " + kind + " (must be 16 or 17)");
    };
  }

  @Override
  public List<? extends Coder<?>> getCoderArguments() {
    return List.of(elementCoder);
  }

  @Override
  public void verifyDeterministic() throws NonDeterministicException {
    verifyDeterministic(this, "The element coder must be deterministic", elementCoder);
  }
}
