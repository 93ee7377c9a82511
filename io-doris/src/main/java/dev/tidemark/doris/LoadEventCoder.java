package dev.tidemark.doris;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.coders.StructuredCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;

/** Version byte 1, kind (1: load, 2: failure), four counts of attempts, load or failure. */
final class LoadEventCoder extends StructuredCoder<LoadEvent> {
  private static final long serialVersionUID = 1L;
  private static final int VERSION = 1;
  private static final int LOAD = 1;
  private static final int FAILURE = 2;
  private static final VarLongCoder NUMBER = VarLongCoder.of();

  private final DorisLoadCoder loadCoder = new DorisLoadCoder();
  private final Coder<BadRecord> failureCoder;

  LoadEventCoder(Coder<BadRecord> failureCoder) {
    this.failureCoder = failureCoder;
  }

  @Override
  public void encode(LoadEvent event, OutputStream out) throws IOException {
    out.write(VERSION);
    DorisLoad load = event.load();
    out.write(load == null ? FAILURE : LOAD);
    AttemptCounts attempts = event.attempts();
    NUMBER.encode(attempts.retried(), out);
    NUMBER.encode(attempts.slowed(), out);
    NUMBER.encode(attempts.settled(), out);
    NUMBER.encode(attempts.aborted(), out);
    if (load == null) {
      failureCoder.encode(event.failure(), out);
    } else {
      loadCoder.encode(load, out);
    }
  }

  @Override
  public LoadEvent decode(InputStream in) throws IOException {
    int version = in.read();
    if (version != VERSION) {
      throw new CoderException(
          "Cannot decode an event of a load: unknown version " + version + " (must be 1)");
    }
    int kind = in.read();
    AttemptCounts attempts =
        AttemptCounts.of(
            NUMBER.decode(in), NUMBER.decode(in), NUMBER.decode(in), NUMBER.decode(in));
    return switch (kind) {
      case LOAD -> LoadEvent.of(loadCoder.decode(in), attempts);
      case FAILURE -> LoadEvent.of(failureCoder.decode(in), attempts);
      default -> throw new CoderException("Cannot decode an event of a load: unknown kind " + kind);
    };
  }

  @Override
  public List<? extends Coder<?>> getCoderArguments() {
    return List.of(failureCoder);
  }

  @Override
  public void verifyDeterministic() throws NonDeterministicException {
    throw new NonDeterministicException(this, "Failures have no deterministic form");
  }
}
