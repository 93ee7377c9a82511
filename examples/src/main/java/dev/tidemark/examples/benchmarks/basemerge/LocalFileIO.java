package dev.tidemark.examples.benchmarks.basemerge;

import java.io.File;
import java.util.Map;
import org.apache.iceberg.Files;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/**
 * Local files without Hadoop, which starts a process for each file it writes, to set permissions.
 * That would be more than half of what small merges cost on a local disk, and nothing on a store of
 * objects.
 */
public class LocalFileIO implements FileIO {
  private static final long serialVersionUID = 1;

  /** Made by its name. */
  public LocalFileIO() {}

  @Override
  public void initialize(Map<String, String> properties) {
    // Nothing to set.
  }

  @Override
  public InputFile newInputFile(String location) {
    return Files.localInput(location);
  }

  @Override
  public OutputFile newOutputFile(String location) {
    return Files.localOutput(location);
  }

  @Override
  public void deleteFile(String location) {
    if (!new File(location.replaceFirst("^file:", "")).delete()) {
      throw new IllegalStateException("Cannot delete file " + location);
    }
  }
}
