package dev.tidemark.merge;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.encryption.NativeEncryptionInputFile;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** Opens the files of one table for reading, decrypted, and counts the bytes that are read. */
final class CountedFiles {
  private final EncryptingFileIO io;
  private final LongAdder bytes;

  CountedFiles(Table table, LongAdder bytes) {
    this.io = EncryptingFileIO.combine(table.io(), table.encryption());
    this.bytes = bytes;
  }

  /** For readers that open files themselves, uncounted. */
  FileIO io() {
    return io;
  }

  InputFile open(DataFile file) {
    return counted(io.newInputFile(file));
  }

  InputFile open(DeleteFile file) {
    return counted(io.newInputFile(file));
  }

  private InputFile counted(InputFile file) {
    if (file instanceof NativeEncryptionInputFile) {
      // Parquet takes the key from this very class.
      bytes.add(file.getLength());
      return file;
    }
    return new CountedFile(file, bytes);
  }

  private record CountedFile(InputFile file, LongAdder bytes) implements InputFile {
    @Override
    public long getLength() {
      return file.getLength();
    }

    @Override
    public SeekableInputStream newStream() {
      return new CountedStream(file.newStream(), bytes);
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
    private final SeekableInputStream in;
    private final LongAdder bytes;

    CountedStream(SeekableInputStream in, LongAdder bytes) {
      this.in = in;
      this.bytes = bytes;
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public int read() throws IOException {
      int read = in.read();
      if (read >= 0) {
        bytes.increment();
      }
      return read;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = in.read(buffer, offset, length);
      if (read > 0) {
        bytes.add(read);
      }
      return read;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
