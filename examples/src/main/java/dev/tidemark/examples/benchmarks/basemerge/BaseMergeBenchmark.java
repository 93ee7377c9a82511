package dev.tidemark.examples.benchmarks.basemerge;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.tidemark.examples.benchmarks.load.Peer;
import dev.tidemark.examples.benchmarks.load.PeerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Compares the CPU that a changed key costs on its way from a change table into its base table:
 * Tidemark's merge and Spark's {@code MERGE INTO}, both reading what was appended since the last
 * merge, folding it by key, and removing old rows by position (position deletes, or deletion
 * vectors in a version 3 table); and Spark's default, which writes whole files anew.
 *
 * <p>Each peer runs in a process of its own with the same heap and may use all processors. It
 * merges the same changes again and again, the files being put back in between: cold, to warm up,
 * measured. All peers have to come to the same rows. Runs take turns. The environment has the
 * parameters:
 *
 * <ul>
 *   <li>{@code ROUNDS}: rounds, default 3
 *   <li>{@code ROWS}: rows of a base table, in 200 files, default 2,000,000
 *   <li>{@code CHANGED}: keys with changes, default 20,000
 *   <li>{@code WARM_UPS}, {@code MERGES}: merges of a process after the cold one, not measured and
 *       measured, default 3 each
 *   <li>{@code SHAPES}, {@code PEERS}: regular expressions for those to run, default all
 * </ul>
 *
 * <p>The last line tells Tidemark's CPU against Spark's, merge-on-read and copy-on-write, in the
 * worst of the shapes.
 */
final class BaseMergeBenchmark {
  private static final String HEAP = "2g";
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private final Path directory;
  private final Path warehouse;
  private final int changed = (int) number("CHANGED", 20_000);
  private final Map<Shape, Long> digests = new EnumMap<>(Shape.class);
  private int runs;

  private BaseMergeBenchmark(Path directory) {
    this.directory = directory;
    this.warehouse = directory.resolve("warehouse");
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path directory = Files.createDirectories(Path.of(args[0]).toAbsolutePath());
    new BaseMergeBenchmark(directory).run((int) number("ROUNDS", 3));
  }

  private void run(int rounds) throws IOException, InterruptedException {
    createTables();
    Results results = new Results();
    for (int round = 1; round <= rounds; round++) {
      for (Shape shape : Shape.values()) {
        if (!wanted("SHAPES", shape.name())) {
          continue;
        }
        for (Peer peer : round % 2 == 0 ? Peers.ALL : Peers.ALL.reverse()) {
          if (wanted("PEERS", peer.name() + ": " + peer.label())) {
            RunFigures figures = run(peer, shape);
            report(round, peer, shape, figures);
            results.add(peer, shape, figures);
          }
        }
      }
    }
    results.print(System.out);
    System.out.printf(
        Locale.ROOT,
        "base-merge ratio_spark=%.3f ratio_copy_on_write=%.3f%n",
        results.worstRatio(Peers.SPARK),
        results.worstRatio(Peers.SPARK_COPYING));
  }

  /** Tables of an earlier run are as good, if they are of the same size. */
  private void createTables() throws IOException {
    int rows = (int) number("ROWS", 2_000_000);
    TableFiles files = new TableFiles(warehouse);
    String name = "2 rows=%d changed=%d".formatted(rows, changed);
    if (files.isKept(name)) {
      return;
    }
    if (Files.exists(warehouse)) {
      MoreFiles.deleteRecursively(warehouse, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    System.err.printf("making tables of %d rows%n", rows);
    MergeTables.create(warehouse, rows, changed);
    files.keep(name);
  }

  private RunFigures run(Peer peer, Shape shape) throws IOException, InterruptedException {
    ImmutableMap<String, String> settings =
        ImmutableMap.<String, String>builder()
            .put("warehouse", warehouse.toString())
            .put("shape", shape.name())
            .put("base", shape.base())
            .put("changes", shape.changes())
            .put("source", shape.source())
            .put("condition", shape.condition())
            .put("warmUps", Long.toString(number("WARM_UPS", 3)))
            .put("merges", Long.toString(number("MERGES", 3)))
            .buildOrThrow();
    ImmutableMap<String, Long> figures;
    try (PeerProcess process =
        PeerProcess.start(peer, settings, HEAP, directory.resolve("run" + runs++ + ".log"))) {
      figures = process.awaitRegion(PATIENCE);
    }
    checkRows(peer, shape);
    double keys = shape == Shape.HOT ? Math.min(changed, number("ROWS", 2_000_000) / 200) : changed;
    return new RunFigures(
        figures.get("cpuNanos") / keys / 1e3,
        figures.get("wallNanos") / keys / 1e3,
        figures.get("coldCpuNanos") / 1e9,
        figures.get("filesOpened"),
        figures.get("bytesRead"));
  }

  private void checkRows(Peer peer, Shape shape) throws IOException {
    long digest = MergeTables.digest(warehouse, shape);
    Long other = digests.putIfAbsent(shape, digest);
    if (other != null && other != digest) {
      throw new IllegalStateException(
          "Cannot compare peers: %s (%s) came to other rows than the one before it in shape %s."
              .formatted(peer.name(), peer.label(), shape));
    }
  }

  private static void report(int round, Peer peer, Shape shape, RunFigures figures) {
    System.err.printf(
        Locale.ROOT,
        "round %d, %s, %s, %s: CPU %.1f us/row, wall %.1f us/row, cold %.1f s, %d files, %d bytes%n",
        round,
        shape.label(),
        peer.name(),
        peer.label(),
        figures.cpuMicros(),
        figures.wallMicros(),
        figures.coldCpuSeconds(),
        figures.filesOpened(),
        figures.bytesRead());
  }

  private static boolean wanted(String variable, String name) {
    return Pattern.compile(Strings.nullToEmpty(System.getenv(variable))).matcher(name).find();
  }

  private static long number(String name, long byDefault) {
    String value = System.getenv(name);
    if (value == null) {
      return byDefault;
    }
    long number = Long.parseLong(value);
    if (number < 1) {
      throw new IllegalArgumentException(
          String.format("Invalid %s: %s (must be at least 1)", name, value));
    }
    return number;
  }
}
