package dev.tidemark.examples.demo;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/**
 * Ends the process, as {@code kill -9} does, when it is to open or delete a file for the n-th time.
 */
public final class EndingFileIO extends HadoopFileIO {
  static final int EXIT_CODE = 137;

  private static final long serialVersionUID = 1;
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final int END_AT = Integer.getInteger("tidemark.test.endAt", Integer.MAX_VALUE);

  /** Made by its name. */
  public EndingFileIO() {}

  /** Files that were opened or deleted so far. */
  static int count() {
    return COUNT.get();
  }

  @Override
  public InputFile newInputFile(String location) {
    count(location);
    return super.newInputFile(location);
  }

  @Override
  public InputFile newInputFile(String location, long length) {
    count(location);
    return super.newInputFile(location, length);
  }

  @Override
  public OutputFile newOutputFile(String location) {
    count(location);
    return super.newOutputFile(location);
  }

  @Override
  public void deleteFile(String location) {
    count(location);
    super.deleteFile(location);
  }

  private static void count(String location) {
    if (COUNT.incrementAndGet() == END_AT) {
      System.out.println("ended at " + location);
      System.out.flush();
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
