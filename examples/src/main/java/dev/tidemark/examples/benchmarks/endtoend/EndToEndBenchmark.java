package dev.tidemark.examples.benchmarks.endtoend;

import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.examples.benchmarks.load.EmulatorProcess;
import dev.tidemark.examples.cluster.KafkaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Compares what an event costs on its way through the whole change pipeline: Debezium's JSON from
 * Kafka, every change into a table of Iceberg, rows by key through a materializer into Doris. The
 * other side is the same job in Flink SQL 1.19 with released connectors, see {@code FlinkSqlJob}.
 *
 * <p>Each job runs in a process of its own, on an embedded Flink with the same parallelism,
 * checkpoint interval, object reuse and RocksDB with incremental checkpoints, in the same memory.
 * Broker and emulator are processes too, whose CPU does not count. Events come from Kafka, and not
 * from files, since the two sides have no format of files in common that is as cheap for both; of a
 * topic they read the same bytes. A run inserts each key and warms up, see {@link OrderTopic}; then
 * the CPU of the process counts until both tables have everything, commits and compilation too. In
 * the end all rows of Doris and the number of changes in Iceberg must be right.
 *
 * <p>Runs take turns. What the change pipeline costs is also measured with more tasks, and with
 * more keys in state. The environment has the parameters:
 *
 * <ul>
 *   <li>{@code ROUNDS}: rounds, default 3
 *   <li>{@code EVENTS}: factor for all numbers of events and of keys, default 1
 *   <li>{@code INTERVAL_MILLIS}: the checkpoint interval, default 2,000
 *   <li>{@code KEYS}: keys where their number is not what is looked at, default 100,000
 *   <li>{@code STATE_KEYS}: numbers of keys, default {@code 10000,1000000,10000000}. The most take
 *       8 GB in the emulator
 *   <li>{@code PARALLELISMS}: default {@code 1,2,4}
 *   <li>{@code RUNS}: regular expression for the runs to make, as they are reported, default all
 *   <li>{@code PEER_JVM}: further options for the jobs' processes
 * </ul>
 *
 * <p>The last line tells the CPU per event against Flink SQL with its materializer, and the
 * exponents with which it grows, 0 being flat.
 */
final class EndToEndBenchmark {
  private static final long EVENTS = 2_000_000;
  private static final long WARM_UP_EVENTS = 500_000;
  private static final int PARALLELISM = 2;

  private EndToEndBenchmark() {}

  public static void main(String[] args) throws Exception {
    run(args[0], Path.of(args[1]), System.getenv());
  }

  /**
   * Runs the suite.
   *
   * @param emulatorClassPath that has the emulator
   * @param folder for what runs store
   * @param parameters see above
   * @return the last line
   */
  static String run(String emulatorClassPath, Path folder, Map<String, String> parameters)
      throws Exception {
    double factor = Double.parseDouble(parameters.getOrDefault("EVENTS", "1"));
    int rounds = Integer.parseInt(parameters.getOrDefault("ROUNDS", "3"));
    JobRun.Workload workload =
        new JobRun.Workload(
            (long) (WARM_UP_EVENTS * factor),
            (long) (EVENTS * factor),
            Long.parseLong(parameters.getOrDefault("INTERVAL_MILLIS", "2000")));
    int keys = (int) (factor * Integer.parseInt(parameters.getOrDefault("KEYS", "100000")));
    ImmutableList<Trial> compared =
        Peers.COMPARED.stream()
            .map(peer -> new Trial(peer, PARALLELISM, keys))
            .collect(ImmutableList.toImmutableList());
    ImmutableList<Trial> parallelisms =
        numbers(parameters.getOrDefault("PARALLELISMS", "1,2,4")).stream()
            .map(parallelism -> new Trial(Peers.TIDEMARK, parallelism, keys))
            .collect(ImmutableList.toImmutableList());
    ImmutableList<Trial> states =
        numbers(parameters.getOrDefault("STATE_KEYS", "10000,1000000,10000000")).stream()
            .map(number -> new Trial(Peers.TIDEMARK, PARALLELISM, (int) (factor * number)))
            .collect(ImmutableList.toImmutableList());
    Pattern wanted = Pattern.compile(Strings.nullToEmpty(parameters.get("RUNS")));
    ImmutableList<Trial> trials =
        ImmutableSet.<Trial>builder()
            .addAll(compared)
            .addAll(parallelisms)
            .addAll(states)
            .build()
            .stream()
            .filter(trial -> wanted.matcher(trial.toString()).find())
            .collect(ImmutableList.toImmutableList());

    Path directory = Files.createDirectories(folder.toAbsolutePath());
    Results results = new Results();
    try (EmulatorProcess emulator =
            EmulatorProcess.start(emulatorClassPath, directory.resolve("emulator.log"), "9g");
        KafkaProcess broker = KafkaProcess.start(RunFolder.empty(directory.resolve("kafka")))) {
      JobRun run = new JobRun(directory, broker, emulator, workload);
      for (int round = 1; round <= rounds; round++) {
        // Back and forth, so that a trend of the machine favours none.
        for (Trial trial : round % 2 == 0 ? trials.reverse() : trials) {
          RunFigures figures = run.run(trial);
          report(round, trial, figures);
          results.add(trial, figures);
        }
      }
    }
    results.print(System.out);
    String line =
        String.format(
            Locale.ROOT,
            "end-to-end ratio_flink_sql=%.3f growth_parallelism=%.3f growth_state=%.3f",
            results.ratio(compared.get(0), compared.get(1)),
            results.growth(parallelisms, Trial::parallelism),
            results.growth(states, Trial::keys));
    System.out.println(line);
    return line;
  }

  private static void report(int round, Trial trial, RunFigures figures) {
    System.err.printf(
        Locale.ROOT,
        "round %d %s: CPU %.2f us/event, %.2f with start, %.0f events/s, %.1f files and %.1f loads"
            + " per checkpoint%n",
        round,
        trial,
        figures.cpuMicros(),
        figures.cpuMicrosInAll(),
        figures.eventsPerSecond(),
        figures.filesPerCommit(),
        figures.loadsPerCommit());
  }

  private static ImmutableList<Integer> numbers(String list) {
    return Splitter.on(',')
        .trimResults()
        .splitToStream(list)
        .map(Integer::valueOf)
        .collect(ImmutableList.toImmutableList());
  }
}
