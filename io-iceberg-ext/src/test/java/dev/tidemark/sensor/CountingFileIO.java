package dev.tidemark.sensor;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.InputFile;

/** Notes which files are read through it. */
public final class CountingFileIO extends HadoopFileIO {
  private static final List<String> READ = new CopyOnWriteArrayList<>();

  /** For the loader of file access. */
  public CountingFileIO() {}

  static void reset() {
    READ.clear();
  }

  static List<String> read() {
    return List.copyOf(READ);
  }

  @Override
  public InputFile newInputFile(String path) {
    READ.add(path);
    return super.newInputFile(path);
  }

  @Override
  public InputFile newInputFile(String path, long length) {
    READ.add(path);
    return super.newInputFile(path, length);
  }
}
