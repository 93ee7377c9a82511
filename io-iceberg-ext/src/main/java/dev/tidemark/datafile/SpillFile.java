package dev.tidemark.datafile;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A local temporary file of chunks, readable by its owner only and deleted when it is closed.
 *
 * <p>For tables with encryption the chunks are encrypted too (AES in counter mode), with a key that
 * exists in the memory of this object alone.
 */
final class SpillFile implements Closeable {
  private static final int KEY_BYTES = 16;
  private static final int BLOCK_BYTES = 16;

  private final FileChannel channel;
  private final @Nullable SecretKeySpec key;
  private long end;

  /** {@code key} encrypts the chunks; null leaves them as they are. */
  SpillFile(FileChannel channel, @Nullable SecretKeySpec key) {
    this.channel = channel;
    this.key = key;
  }

  static SpillFile create(@Nullable String directory, boolean encrypted) throws IOException {
    Path path =
        directory == null
            ? Files.createTempFile("tidemark-spill-", ".rows")
            : Files.createTempFile(Path.of(directory), "tidemark-spill-", ".rows");
    return new SpillFile(
        FileChannel.open(
            path,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE),
        encrypted ? newKey() : null);
  }

  static SecretKeySpec newKey() {
    byte[] random = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(random);
    return new SecretKeySpec(random, "AES");
  }

  /** Appends a chunk and returns its offset. */
  long append(byte[] bytes, int length) throws IOException {
    long offset = end;
    ByteBuffer chunk = ByteBuffer.wrap(crypt(bytes, length, offset));
    chunk.limit(length);
    while (chunk.hasRemaining()) {
      end += channel.write(chunk, end);
    }
    // Chunks start on a block of the cipher, so that no counter is ever used twice.
    end = (end + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    return offset;
  }

  byte[] read(long offset, int length) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(length);
    while (chunk.hasRemaining()) {
      if (channel.read(chunk, offset + chunk.position()) < 0) {
        throw new IOException("Cannot read spilled rows: the spill file was cut short.");
      }
    }
    return crypt(chunk.array(), length, offset);
  }

  /** Counter mode is its own inverse. */
  private byte[] crypt(byte[] bytes, int length, long offset) throws IOException {
    if (key == null) {
      return bytes;
    }
    byte[] counter = ByteBuffer.allocate(BLOCK_BYTES).putLong(8, offset / BLOCK_BYTES).array();
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter));
      return cipher.doFinal(bytes, 0, length);
    } catch (GeneralSecurityException e) {
      throw new IOException("Cannot encrypt spilled rows: AES is not available.", e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
