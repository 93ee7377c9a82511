package dev.tidemark.examples.benchmarks.materializer;

/** A materializer that is measured. */
public interface Contestant extends AutoCloseable {
  /** Takes a change in the form in which it would arrive; not measured. */
  void prepare(RowChange change);

  /** Works through all that was prepared. May keep some of it for {@link #finish}. */
  void process() throws Exception;

  /** Works through what is left. */
  void finish() throws Exception;

  /** The number of rows emitted so far. */
  long emitted();

  /** Bytes of a full checkpoint as of now. */
  long stateBytes() throws Exception;

  @Override
  void close();
}
