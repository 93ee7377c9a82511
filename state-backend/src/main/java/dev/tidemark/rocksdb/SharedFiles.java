package dev.tidemark.rocksdb;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the stores of one process share: the memory budget, and a local database in a directory of
 * its own. It is there while any store is open. A broken database is left to those that still use
 * it, who leave it for a new one.
 */
final class SharedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(SharedFiles.class);
  private static final String DATABASE = "db";
  private static final Object LOCK = new Object();

  private static @Nullable SharedFiles shared;

  private final StoreLimits limits;
  private final Path parent;
  private final NativeMemory memory;
  private int stores;
  private @Nullable Lease current;
  private volatile long share;

  private SharedFiles(StoreLimits limits, Path parent) {
    this.limits = limits;
    this.parent = parent;
    this.memory = new NativeMemory(limits.nativeBytes());
  }

  /** Joins the stores that are open; the first one decides on budget and directory. */
  static SharedFiles join(StoreLimits limits, Path parent) {
    synchronized (LOCK) {
      if (shared == null) {
        shared = new SharedFiles(limits, parent);
      }
      shared.setStores(shared.stores + 1);
      return shared;
    }
  }

  /** Leaves; the last one frees all. */
  void leave() {
    synchronized (LOCK) {
      setStores(stores - 1);
      if (stores == 0) {
        memory.close();
        shared = null;
      }
    }
  }

  StoreLimits limits() {
    return limits;
  }

  /** The bytes on the heap that one store may use. */
  long share() {
    return share;
  }

  /** The shared database, opened if there is none that works. To be released. */
  Lease lease() {
    synchronized (LOCK) {
      if (current == null || current.database().isBroken()) {
        current = new Lease(open(LocalDirectory.create(parent)), this);
      }
      current.users++;
      return current;
    }
  }

  /** A database of its own for one store, with the files of another one. To be released. */
  Lease leaseCopy(Path source) throws IOException {
    synchronized (LOCK) {
      LocalDirectory directory = LocalDirectory.create(parent);
      try {
        copyDatabase(source, Files.createDirectory(directory.path().resolve(DATABASE)));
      } catch (IOException | RuntimeException | Error e) {
        closeAfter(directory, e);
        throw e;
      }
      Lease lease = new Lease(open(directory), this);
      lease.users++;
      return lease;
    }
  }

  private static void copyDatabase(Path source, Path target) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(source)) {
      for (Path file : files) {
        Path copy = target.resolve(file.getFileName().toString());
        if (!file.toString().endsWith(".sst") || !link(copy, file)) {
          Files.copy(file, copy);
        }
      }
    }
  }

  /** Tables never change, so that a second name is as good as a copy where that is possible. */
  private static boolean link(Path name, Path file) {
    try {
      Files.createLink(name, file);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      LOG.debug("Cannot link {}, so it is copied", file, e);
      return false;
    }
  }

  private void setStores(int count) {
    stores = count;
    share = limits.heapBytes() / Math.max(1, count);
  }

  private OwnedDatabase open(LocalDirectory directory) {
    try {
      return new OwnedDatabase(
          directory, LocalDatabase.open(directory.path().resolve(DATABASE), memory));
    } catch (RuntimeException | Error e) {
      closeAfter(directory, e);
      throw e;
    }
  }

  private static void closeAfter(AutoCloseable resource, Throwable failure) {
    try {
      resource.close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  /** A database and the directory it is in. */
  private record OwnedDatabase(LocalDirectory directory, LocalDatabase database) {}

  /** The right to use a database. */
  static final class Lease {
    private final OwnedDatabase owned;
    private final SharedFiles files;
    private int users;

    private Lease(OwnedDatabase owned, SharedFiles files) {
      this.owned = owned;
      this.files = files;
    }

    LocalDatabase database() {
      return owned.database();
    }

    /** Gives the right back; the last one to do so closes the database and deletes its files. */
    void release() {
      synchronized (LOCK) {
        users--;
        if (users == 0) {
          if (files.current == this) {
            files.current = null;
          }
          try {
            owned.database().close();
          } finally {
            owned.directory().close();
          }
        }
      }
    }
  }
}
