package dev.tidemark.examples.benchmarks.basemerge;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** Counts what a process reads of data and delete files, whichever engine it is. */
public final class CountingFileIO extends LocalFileIO {
  private static final long serialVersionUID = 1;
  private static final Set<String> OPENED = ConcurrentHashMap.newKeySet();
  private static final LongAdder BYTES = new LongAdder();

  /** Made by its name. */
  public CountingFileIO() {}

  /** Data files of a table that were opened. */
  static long opened(String table) {
    return OPENED.stream().filter(file -> file.contains("/" + table + "/")).count();
  }

  /** Bytes that were read of all tables' data files. */
  static long bytes() {
    return BYTES.sum();
  }

  @Override
  public InputFile newInputFile(String location) {
    return counted(super.newInputFile(location));
  }

  private static InputFile counted(InputFile file) {
    return file.location().contains("/data/") ? new CountedFile(file) : file;
  }

  private record CountedFile(InputFile file) implements InputFile {
    @Override
    public long getLength() {
      return file.getLength();
    }

    @Override
    public SeekableInputStream newStream() {
      OPENED.add(file.location());
      return new CountedStream(file.newStream());
    }

    @Override
    public String location() {
      return file.location();
    }

    @Override
    public boolean exists() {
      return file.exists();
    }
  }

  private static final class CountedStream extends SeekableInputStream {
    private final SeekableInputStream stream;

    CountedStream(SeekableInputStream stream) {
      this.stream = stream;
    }

    @Override
    public long getPos() throws IOException {
      return stream.getPos();
    }

    @Override
    public void seek(long position) throws IOException {
      stream.seek(position);
    }

    @Override
    public int read() throws IOException {
      int value = stream.read();
      BYTES.add(value < 0 ? 0 : 1);
      return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = stream.read(bytes, offset, length);
      BYTES.add(Math.max(0, count));
      return count;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
