package dev.tidemark.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory for the files of this process, with a locked file beside it. A directory whose lock
 * is free belongs to a process that is dead, and the next one to come deletes it.
 */
final class LocalDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalDirectory.class);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String NAME = "tidemark-candidates-";
  private static final String LOCK = ".lock";

  private final Path path;
  private final Path lockFile;
  private final FileChannel lock;

  private LocalDirectory(Path path, Path lockFile, FileChannel lock) {
    this.path = path;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  static LocalDirectory create(Path parent) {
    try {
      Files.createDirectories(parent);
      deleteDeadOnes(parent);
      while (true) {
        String name =
            "%s%d-%016x".formatted(NAME, ProcessHandle.current().pid(), RANDOM.nextLong());
        Path lockFile = parent.resolve(name + LOCK);
        FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        // Another process may take it for a dead one's until it is locked, and delete it.
        if (channel.tryLock() != null && Files.exists(lockFile)) {
          Path path = Files.createDirectory(parent.resolve(name));
          return new LocalDirectory(path, lockFile, channel);
        }
        channel.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot create a directory for candidates in %s: %s. Choose another one with"
                  .formatted(parent, e.getMessage())
              + " CandidateStoreOptions.withDirectory.",
          e);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    try {
      deleteAll(path);
      Files.deleteIfExists(lockFile);
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot delete " + path + ": " + e.getMessage() + ". Delete it by hand.", e);
    }
  }

  private static void deleteDeadOnes(Path parent) throws IOException {
    // To close any channel of a file frees all locks this process has on it.
    String own = NAME + ProcessHandle.current().pid() + "-";
    try (DirectoryStream<Path> locks = Files.newDirectoryStream(parent, NAME + "*" + LOCK)) {
      for (Path lockFile : locks) {
        String name = lockFile.getFileName().toString();
        if (!name.startsWith(own)) {
          deleteIfDead(lockFile, parent.resolve(name.substring(0, name.length() - LOCK.length())));
        }
      }
    }
  }

  private static void deleteIfDead(Path lockFile, Path directory) {
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE);
        FileLock lock = tryLock(channel)) {
      if (lock != null) {
        deleteAll(directory);
        Files.deleteIfExists(lockFile);
      }
    } catch (NoSuchFileException e) {
      LOG.debug("Another process deleted {}", directory, e);
    } catch (IOException e) {
      LOG.info(
          "Cannot delete {} of a dead process: {}. Delete it by hand", directory, e.toString());
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  static void deleteAll(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.sorted((a, b) -> b.compareTo(a)).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
