package dev.tidemark.streamload;

/** What an answer that is no success asks for. */
public enum Verdict {
  /** The same again, soon. */
  RETRY,
  /** The same again, after longer: the server is short of something that time gives back. */
  SLOW,
  /** It may have happened: ask for the label's state first. */
  SETTLE,
  /** The data were refused. */
  REJECT,
  /** The request was refused. */
  FATAL
}
