package dev.tidemark.streamload;

import java.io.IOException;

/** An HTTP request without a complete answer. */
final class CallException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean sent;

  CallException(String message, boolean sent, Throwable cause) {
    super(message, cause);
    this.sent = sent;
  }

  /** Whether the server may have seen the request. */
  boolean sent() {
    return sent;
  }
}
