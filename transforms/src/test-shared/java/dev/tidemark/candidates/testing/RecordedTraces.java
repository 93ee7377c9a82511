package dev.tidemark.candidates.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.candidates.CandidateStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Runs what was recorded of Flink's released materializers on a store and compares each emission.
 *
 * <p>Files have a JSON object a line, plain or with gzip. A second file has the traces that a known
 * defect of the released operators spoilt, as the repaired operators give them.
 */
public final class RecordedTraces {
  private static final String TRACES = "traces.jsonl.gz";
  private static final String REPAIRED = "traces_fixed39740.jsonl.gz";

  private final List<RecordedTrace> traces = new ArrayList<>();
  private int batchSize = 1000;
  private boolean reopening;
  private int @Nullable [] thresholds;

  private RecordedTraces() {}

  /**
   * The traces of the files that the system properties {@code traces} and {@code tracesRepaired}
   * name, if they do; those that come with the tests otherwise.
   */
  public static RecordedTraces read() {
    String traces = System.getProperty("traces");
    String repaired = System.getProperty("tracesRepaired");
    if (traces != null) {
      return read(found(traces), repaired == null ? null : found(repaired));
    }
    try {
      return of(lines(resource(TRACES)), lines(resource(REPAIRED)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The traces of a file, and those that override them, if any. */
  public static RecordedTraces read(Path traces, @Nullable Path repaired) {
    try {
      return of(lines(open(traces)), repaired == null ? List.of() : lines(open(repaired)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RecordedTraces of(List<JsonNode> lines, List<JsonNode> repaired) {
    Map<String, JsonNode> overrides = new HashMap<>();
    repaired.forEach(line -> overrides.put(RecordedTrace.id(line), line));
    RecordedTraces read = new RecordedTraces();
    for (JsonNode line : lines) {
      read.traces.add(new RecordedTrace(overrides.getOrDefault(RecordedTrace.id(line), line)));
    }
    return read;
  }

  private static List<JsonNode> lines(InputStream file) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    ObjectMapper mapper = new ObjectMapper();
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(file, UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(mapper.readTree(line));
      }
    }
    return lines;
  }

  private static InputStream resource(String name) throws IOException {
    return new GZIPInputStream(RecordedTraces.class.getResourceAsStream(name));
  }

  private static InputStream open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
  }

  /** Tests run in the directory of their module, commands are given in the one above. */
  private static Path found(String file) {
    Path path = Path.of(file);
    return Files.exists(path) ? path : Path.of("..").resolve(path);
  }

  /** How many traces there are. */
  public int size() {
    return traces.size();
  }

  /** Sets how many changes are processed at once. Default: 1000, all of them. */
  public RecordedTraces withBatchSize(int batchSize) {
    this.batchSize = batchSize;
    return this;
  }

  /** Reopens the store after each batch, not only where a trace says so. */
  public RecordedTraces reopening() {
    this.reopening = true;
    return this;
  }

  /**
   * Sets the thresholds of the traces whose strategy has none, where they must not make a
   * difference. Default: those of the state backend.
   */
  public RecordedTraces withThresholds(int high, int low) {
    this.thresholds = new int[] {high, low};
    return this;
  }

  /** Runs all traces, each in a shard of its own. */
  public TraceResults run(Supplier<CandidateStore> stores) {
    TraceResults results = new TraceResults();
    TraceReplay.Store store = new TraceReplay.Store(stores);
    try {
      for (int shard = 0; shard < traces.size(); shard++) {
        new TraceReplay(traces.get(shard), shard, store, this).run(results);
      }
    } finally {
      store.close();
    }
    return results;
  }

  @Override
  public String toString() {
    return traces.size() + " traces, " + batchSize + " changes at once";
  }

  int batchSize() {
    return batchSize;
  }

  boolean isReopening() {
    return reopening;
  }

  int @Nullable [] thresholds() {
    return thresholds;
  }
}
