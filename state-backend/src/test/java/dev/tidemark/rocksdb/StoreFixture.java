package dev.tidemark.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.ShardRecords;
import dev.tidemark.candidates.ShardState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/** A directory for stores, and short ways to use them. */
final class StoreFixture implements TestRule {
  /** All in memory. */
  static final StoreLimits AMPLE = new StoreLimits(64 << 20, 1 << 20, 256 << 10);

  /** Next to nothing in memory. */
  static final StoreLimits TINY = new StoreLimits(16 << 10, 1 << 20, 256 << 10);

  private static final Path MEMORY = Path.of("/dev/shm");

  /** In memory where there is such a place: RocksDB waits for the disk with each file it ends. */
  private final TemporaryFolder folder =
      new TemporaryFolder(MEMORY.toFile().canWrite() ? MEMORY.toFile() : null);

  @Override
  public Statement apply(Statement base, Description description) {
    return folder.apply(base, description);
  }

  Path directory() {
    return folder.getRoot().toPath();
  }

  RocksDbCandidateStore open(StoreLimits limits) {
    return RocksDbCandidateStore.open(limits, directory());
  }

  /** The tables in all local databases. */
  List<Path> tables() throws IOException {
    try (Stream<Path> files = Files.walk(directory())) {
      return files.filter(file -> file.toString().endsWith(".sst")).toList();
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  /** Runs one batch. */
  static void batch(
      CandidateStore store, int shard, ShardState state, Consumer<ShardRecords> mutations) {
    ShardRecords records = store.begin(shard, state);
    mutations.accept(records);
    records.commit();
  }

  /** Sets {@code from} to {@code to}, the last excluded, each with its number and a text. */
  static Consumer<ShardRecords> puts(int from, int to, String text) {
    return records -> {
      for (int i = from; i < to; i++) {
        records.put(bytes("key-%06d".formatted(i)), bytes(text + i));
      }
    };
  }

  static Map<String, String> all(CandidateStore store, int shard, ShardState state) {
    Map<String, String> all = new TreeMap<>();
    ShardRecords records = store.begin(shard, state);
    records.scan(
        new byte[0],
        null,
        (key, value) -> {
          all.put(text(key), text(value));
          return true;
        });
    records.commit();
    return all;
  }

  static Map<String, String> expected(int from, int to, String text) {
    Map<String, String> all = new TreeMap<>();
    for (int i = from; i < to; i++) {
      all.put("key-%06d".formatted(i), text + i);
    }
    return all;
  }
}
