package dev.tidemark.merge;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.iceberg.Schema;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Changes on local disk, in parts by key: as many as it takes to fold one part in memory. Encrypted
 * under a key that is nowhere written down. Adding is thread-safe.
 */
final class ChangeParts implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Schema schema;
  private final Path directory;
  private final SecretKeySpec secret;
  private final List<Path> files = new ArrayList<>();
  private final List<DataOutputStream> outputs = new ArrayList<>();

  ChangeParts(int parts, Schema schema, @Nullable String directory) {
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    this.secret = new SecretKeySpec(random, "AES");
    this.schema = schema;
    try {
      this.directory =
          directory == null
              ? Files.createTempDirectory("tidemark-merge")
              : Files.createTempDirectory(
                  Files.createDirectories(Path.of(directory)), "tidemark-merge");
      for (int part = 0; part < parts; part++) {
        Path file = this.directory.resolve("part-" + part);
        files.add(file);
        OutputStream out =
            new CipherOutputStream(
                new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES),
                cipher(Cipher.ENCRYPT_MODE, part));
        outputs.add(new DataOutputStream(new BufferedOutputStream(out, BUFFER_BYTES)));
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** A thread's way to add changes. */
  ChangeReader.Sink sink() {
    VersionCodec codec = new VersionCodec(schema);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    return (key, version) -> {
      try {
        bytes.reset();
        codec.write(version, new DataOutputStream(bytes));
        if (key == null) {
          // A truncate is about every key.
          for (DataOutputStream out : outputs) {
            write(out, bytes);
          }
        } else {
          write(outputs.get(KeyReader.part(key, outputs.size())), bytes);
        }
      } catch (IOException e) {
        throw failed(e);
      }
    };
  }

  private static void write(DataOutputStream out, ByteArrayOutputStream bytes) throws IOException {
    synchronized (out) {
      out.writeInt(bytes.size());
      bytes.writeTo(out);
    }
  }

  /** Ends the writing. */
  void complete() {
    try {
      for (DataOutputStream out : outputs) {
        out.close();
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  int count() {
    return files.size();
  }

  /** Reads a part, and removes it. */
  void drain(int part, Consumer<Version> consumer) {
    VersionCodec codec = new VersionCodec(schema);
    try (InputStream file = Files.newInputStream(files.get(part));
        DataInputStream in =
            new DataInputStream(
                new BufferedInputStream(
                    new CipherInputStream(
                        new BufferedInputStream(file, BUFFER_BYTES),
                        cipher(Cipher.DECRYPT_MODE, part)),
                    BUFFER_BYTES))) {
      for (int first = in.read(); first >= 0; first = in.read()) {
        int length =
            (first << 24)
                | (in.readUnsignedByte() << 16)
                | (in.readUnsignedByte() << 8)
                | in.readUnsignedByte();
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        consumer.accept(codec.read(new DataInputStream(new ByteArrayInputStream(bytes))));
      }
      Files.delete(files.get(part));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Removes what is left. */
  @Override
  public void close() {
    try {
      for (DataOutputStream out : outputs) {
        out.close();
      }
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private Cipher cipher(int mode, int part) {
    try {
      // The counter of each part starts where no other one gets to.
      byte[] start = new byte[16];
      start[0] = (byte) (part >>> 24);
      start[1] = (byte) (part >>> 16);
      start[2] = (byte) (part >>> 8);
      start[3] = (byte) part;
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(mode, secret, new IvParameterSpec(start));
      return cipher;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Cannot encrypt changes on local disk: AES is missing.", e);
    }
  }

  private static UncheckedIOException failed(IOException cause) {
    return new UncheckedIOException(
        "Cannot keep changes on local disk: %s. Make room, or name another place with withSpillDirectory."
            .formatted(cause.getMessage()),
        cause);
  }
}
