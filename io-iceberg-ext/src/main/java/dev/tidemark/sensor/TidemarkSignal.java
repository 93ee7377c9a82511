package dev.tidemark.sensor;

import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Stands for the watermark, which {@link Judgement} reads. */
final class TidemarkSignal extends Signal {
  static final String NAME = "tidemark";
  static final Signal INSTANCE = new TidemarkSignal();

  private TidemarkSignal() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public @Nullable String caveat() {
    return null;
  }

  @Override
  @Nullable Instant until(TableSource.Version version, String branch) {
    throw new UnsupportedOperationException("The watermark is judged by Judgement");
  }
}
