package dev.tidemark.candidates;

/** How the record of a key begins: the layout of its candidates, and when they last changed. */
final class Head {
  private static final int VERSION = 0x10;
  private static final int TIMED = 0x01;
  private static final int LINKED = 0x02;

  private boolean timed;
  private long lastWrite;
  private boolean linked;

  static boolean isLinked(byte[] head) {
    return head.length > 0 && (head[0] & LINKED) != 0;
  }

  /** Reads the beginning of a record; the candidates follow. */
  void read(RecordReader reader, byte[] head) {
    reader.open("head", head);
    int form = reader.nextByte();
    reader.check((form & ~(TIMED | LINKED)) == VERSION, "its version is unknown: " + form);
    timed = (form & TIMED) != 0;
    linked = (form & LINKED) != 0;
    lastWrite = timed ? reader.nextLong() : 0;
  }

  void write(RecordWriter writer) {
    writer.open();
    writer.writeByte(VERSION | (timed ? TIMED : 0) | (linked ? LINKED : 0));
    if (timed) {
      writer.writeLong(lastWrite);
    }
  }

  boolean linked() {
    return linked;
  }

  void setLinked(boolean linked) {
    this.linked = linked;
  }

  /** Notes a change of the candidates. */
  void touch(boolean withTime, long nowMillis) {
    timed = withTime;
    lastWrite = withTime ? nowMillis : 0;
  }

  /**
   * Whether the candidates are to be forgotten. None is before it could be kept for the whole time
   * to live since that was enabled.
   */
  boolean expired(long enabledAtMillis, long ttlMillis, long nowMillis) {
    long since = timed ? Math.max(lastWrite, enabledAtMillis) : enabledAtMillis;
    return since <= nowMillis && nowMillis - since >= ttlMillis;
  }
}
