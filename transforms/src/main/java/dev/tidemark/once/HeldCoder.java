package dev.tidemark.once;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.beam.sdk.coders.BigEndianLongCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.StructuredCoder;
import org.apache.beam.sdk.coders.VarLongCoder;

/** Version byte 1, nonce, order, sequence, floor, arrival. Lives in checkpoints and savepoints. */
final class HeldCoder<T> extends StructuredCoder<Held<T>> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final BigEndianLongCoder FIXED = BigEndianLongCoder.of();
  private static final VarLongCoder VAR = VarLongCoder.of();

  private final ArrivalCoder<T> arrivalCoder;

  private HeldCoder(ArrivalCoder<T> arrivalCoder) {
    this.arrivalCoder = arrivalCoder;
  }

  static <T> HeldCoder<T> of(ArrivalCoder<T> arrivalCoder) {
    return new HeldCoder<>(arrivalCoder);
  }

  @Override
  public void encode(Held<T> value, OutputStream out) throws IOException {
    out.write(VERSION);
    FIXED.encode(value.nonce(), out);
    VAR.encode(value.order(), out);
    VAR.encode(value.sequence(), out);
    VAR.encode(value.floor(), out);
    arrivalCoder.encode(value.arrival(), out);
  }

  @Override
  public Held<T> decode(InputStream in) throws IOException {
    int version = in.read();
    if (version != VERSION) {
      throw new CoderException(
          "Cannot decode held element: unknown version " + version + " (must be " + VERSION + ")");
    }
    return Held.of(
        FIXED.decode(in), VAR.decode(in), VAR.decode(in), VAR.decode(in), arrivalCoder.decode(in));
  }

  @Override
  public List<? extends Coder<?>> getCoderArguments() {
    return List.of(arrivalCoder);
  }

  @Override
  public void verifyDeterministic() throws NonDeterministicException {
    verifyDeterministic(this, "The arrival coder must be deterministic", arrivalCoder);
  }
}
