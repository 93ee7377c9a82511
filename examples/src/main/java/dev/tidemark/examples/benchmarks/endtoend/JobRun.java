package dev.tidemark.examples.benchmarks.endtoend;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.examples.benchmarks.load.EmulatorProcess;
import dev.tidemark.examples.benchmarks.load.EmulatorProcess.Received;
import dev.tidemark.examples.benchmarks.load.Peer;
import dev.tidemark.examples.benchmarks.load.PeerProcess;
import dev.tidemark.examples.cluster.KafkaProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Runs a job over a new topic into new tables, and takes its figures. */
final class JobRun {
  private static final String HEAP = "2g";

  /** RocksDB of Flink SQL has all of it; the change pipeline has two stores, and half for each. */
  private static final int ROCKSDB_MB = 512;

  private static final Duration PATIENCE = Duration.ofMinutes(14);

  private final Path directory;
  private final KafkaProcess broker;
  private final EmulatorProcess emulator;
  private final Workload workload;
  private int runs;

  JobRun(Path directory, KafkaProcess broker, EmulatorProcess emulator, Workload workload) {
    this.directory = directory;
    this.broker = broker;
    this.emulator = emulator;
    this.workload = workload;
  }

  /**
   * How much a run is.
   *
   * @param warmUpEvents after an insert of each key
   * @param events measured ones
   */
  record Workload(long warmUpEvents, long events, long intervalMillis) {}

  /**
   * Runs it once.
   *
   * @throws IllegalStateException when the job ends early, is late, or a table is wrong in the end
   */
  RunFigures run(Trial trial) throws Exception {
    String name = "run" + runs++;
    long all = trial.keys() + workload.warmUpEvents() + workload.events();
    OrderLog log = new OrderLog(trial.keys(), all);
    try (RunFolder folder = RunFolder.create(directory.resolve(name));
        OrderTopic topic = OrderTopic.create(broker, name)) {
      ServedTable served = ServedTable.create(emulator, name);
      ChangeTable changes = ChangeTable.create(folder.warehouse());
      topic.write(
          records -> {
            log.insertAll(records);
            log.mixed(workload.warmUpEvents(), records);
          });
      topic.publish();
      Expected warm = log.expected();
      topic.write(records -> log.mixed(workload.events(), records));
      Expected end = log.expected();
      RunFigures figures;
      try (PeerProcess job = start(trial, name, folder, topic, served)) {
        await(job, changes, served, warm);
        Duration cpuBefore = job.cpu();
        long wallBefore = System.nanoTime();
        topic.publish();
        await(job, changes, served, end);
        long wall = System.nanoTime() - wallBefore;
        Duration cpu = job.cpu();
        Received received = served.received();
        ChangeTable.Commits commits = changes.commits();
        double events = end.events() - warm.events();
        figures =
            new RunFigures(
                cpu.minus(cpuBefore).toNanos() / events / 1_000,
                cpu.toNanos() / (double) end.events() / 1_000,
                wall / events / 1_000,
                (double) commits.files() / commits.commits(),
                (double) received.loads() / commits.commits());
      }
      served.check(log);
      served.drop();
      broker.deleteTopic(name);
      return figures;
    }
  }

  private PeerProcess start(
      Trial trial, String name, RunFolder folder, OrderTopic topic, ServedTable served)
      throws Exception {
    boolean twoStores = trial.peer().equals(Peers.TIDEMARK);
    folder.writeFlinkConfiguration(twoStores ? ROCKSDB_MB / 2 : ROCKSDB_MB);
    folder.writeTables(topic.name());
    Map<String, String> settings =
        ImmutableMap.<String, String>builder()
            .put("brokers", broker.bootstrapServers())
            .put("topic", topic.name())
            .put("tables", folder.tables().toString())
            .put("warehouse", folder.warehouse().toString())
            .put("logTable", ChangeTable.NAMESPACE + "." + ChangeTable.NAME)
            .put("deadLetters", folder.deadLetters().toString())
            .put("frontend", emulator.frontend())
            .put("user", EmulatorProcess.USER)
            .put("password", EmulatorProcess.PASSWORD)
            .put("passwordFile", folder.passwordFile().toString())
            .put("database", served.database())
            .put("servedTable", served.database() + "." + ServedTable.NAME)
            .put("labelPrefix", name)
            .put("checkpoints", folder.checkpoints().toString())
            .put("flinkConfiguration", folder.flinkConfiguration().toString())
            .put("storeFolder", folder.stores().toString())
            .put("storeMemoryMb", Integer.toString(ROCKSDB_MB / 2))
            .put("parallelism", Integer.toString(trial.parallelism()))
            .put("intervalMillis", Long.toString(workload.intervalMillis()))
            .buildOrThrow();
    Peer peer = trial.peer();
    return PeerProcess.start(peer, settings, HEAP, directory.resolve(name + ".log"));
  }

  private static void await(
      PeerProcess job, ChangeTable changes, ServedTable served, Expected expected)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (changes.rows() < expected.changes() || !served.totals(expected)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            String.format(
                "Cannot use run: within %s the tables did not get to %s; %d changes are there.",
                PATIENCE, expected, changes.rows()));
      }
      job.checkAlive();
    }
    if (changes.rows() != expected.changes()) {
      throw new IllegalStateException(
          String.format(
              "Cannot use run: the change table has %d rows, and should have %d.",
              changes.rows(), expected.changes()));
    }
  }
}
