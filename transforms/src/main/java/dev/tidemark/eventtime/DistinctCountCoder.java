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

/** Encodes {@link DistinctCount}: version byte 1, then the Theta image. Deterministic. */
public final class DistinctCountCoder extends AtomicCoder<DistinctCount> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final DistinctCountCoder INSTANCE = new DistinctCountCoder();

  private DistinctCountCoder() {}

  /** The coder; there is only one. */
  public static DistinctCountCoder of() {
    return INSTANCE;
  }

  /** Lets the registry find this coder by the value type. */
  public static CoderProvider getCoderProvider() {
    return CoderProviders.forCoder(TypeDescriptor.of(DistinctCount.class), INSTANCE);
  }

  @Override
  public void encode(DistinctCount value, OutputStream out) throws IOException {
    out.write(VERSION);
    ByteArrayCoder.of().encode(value.toThetaImage(), out);
  }

  @Override
  public DistinctCount decode(InputStream in) throws IOException {
    EventTimeStatsCoder.checkVersion("distinct count", VERSION, in);
    byte[] image = ByteArrayCoder.of().decode(in);
    try {
      return DistinctCount.fromThetaImage(image);
    } catch (IllegalArgumentException e) {
      throw new CoderException(e.getMessage(), e);
    }
  }

  @Override
  public boolean consistentWithEquals() {
    return true;
  }
}
