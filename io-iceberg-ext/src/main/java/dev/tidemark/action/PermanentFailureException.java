package dev.tidemark.action;

import java.io.IOException;

/** A delivery that fails whenever it is tried. */
public final class PermanentFailureException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With what is wrong and what to do about it; no address and no secret. */
  public PermanentFailureException(String message) {
    super(message);
  }
}
