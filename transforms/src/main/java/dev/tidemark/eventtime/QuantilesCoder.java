package dev.tidemark.eventtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.CoderProvider;
import org.apache.beam.sdk.coders.CoderProviders;
import org.apache.beam.sdk.values.TypeDescriptor;

/**
 * Encodes {@link Quantiles}: version byte 1, then the KLL image. Deterministic for one value,
 * though the value itself is randomised.
 */
public final class QuantilesCoder extends AtomicCoder<Quantiles> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final QuantilesCoder INSTANCE = new QuantilesCoder();

  private QuantilesCoder() {}

  /** The coder; there is only one. */
  public static QuantilesCoder of() {
    return INSTANCE;
  }

  /** Lets the registry find this coder by the value type. */
  public static CoderProvider getCoderProvider() {
    return CoderProviders.forCoder(TypeDescriptor.of(Quantiles.class), INSTANCE);
  }

  @Override
  public void encode(Quantiles value, OutputStream out) throws IOException {
    out.write(VERSION);
    ByteArrayCoder.of().encode(value.toKllImage(), out);
  }

  @Override
  public Quantiles decode(InputStream in) throws IOException {
    EventTimeStatsCoder.checkVersion("quantiles", VERSION, in);
    byte[] image = ByteArrayCoder.of().decode(in);
    try {
      return Quantiles.fromKllImage(image);
    } catch (IllegalArgumentException e) {
      throw new CoderException(e.getMessage(), e);
    }
  }

  @Override
  public boolean consistentWithEquals() {
    return true;
  }
}
