package dev.tidemark.streamload;

/** An answer that is not one of Doris. The message is for people, and has no credentials in it. */
final class UnreadableAnswer extends Exception {
  private static final long serialVersionUID = 1L;

  UnreadableAnswer(String message) {
    super(message);
  }
}
