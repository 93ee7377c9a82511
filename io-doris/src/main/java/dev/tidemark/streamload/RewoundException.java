package dev.tidemark.streamload;

/**
 * The label of a load is committed already, with content that cannot be told: the runner was taken
 * back to before a commit, or a second pipeline loads under the same prefix.
 */
public final class RewoundException extends LoadException {
  private static final long serialVersionUID = 1L;

  private final String label;

  RewoundException(String label, String message) {
    super(Kind.REWOUND, message);
    this.label = label;
  }

  /** The label that is committed. */
  public String label() {
    return label;
  }
}
