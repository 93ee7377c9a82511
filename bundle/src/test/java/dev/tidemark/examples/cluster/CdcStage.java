package dev.tidemark.examples.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** The processes around a pipeline, and the pipeline on a Flink cluster. */
final class CdcStage implements AutoCloseable {
  static final String DATABASE = "shop";
  static final String PASSWORD = "a-password-that-is-nowhere";

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Path folder;
  private final RestCatalogProcess catalog;
  private final DorisProcess doris;
  private final KafkaProcess kafka;
  private final FlinkCluster flink;
  private final List<String> arguments = new ArrayList<>();
  private String jar = "";
  private String job = "";

  private CdcStage(
      Path folder,
      RestCatalogProcess catalog,
      DorisProcess doris,
      KafkaProcess kafka,
      FlinkCluster flink) {
    this.folder = folder;
    this.catalog = catalog;
    this.doris = doris;
    this.kafka = kafka;
    this.flink = flink;
  }

  /**
   * Starts everything but the pipeline.
   *
   * @param withZooKeeper whether the JobManager may die
   */
  static CdcStage start(String name, boolean withZooKeeper) throws Exception {
    Path folder = ServerJars.newFolder(name);
    ExecutorService starts = Executors.newCachedThreadPool();
    List<Future<? extends AutoCloseable>> all = new ArrayList<>();
    try {
      Future<RestCatalogProcess> catalog = starts.submit(() -> RestCatalogProcess.start(folder));
      Future<DorisProcess> doris = starts.submit(() -> DorisProcess.start(folder, PASSWORD));
      Future<KafkaProcess> kafka = starts.submit(() -> KafkaProcess.start(folder.resolve("kafka")));
      Path home = folder.resolve("flink");
      Future<FlinkCluster> flink =
          starts.submit(
              () ->
                  withZooKeeper
                      ? FlinkCluster.startWithZooKeeper(home, 2)
                      : FlinkCluster.start(home, 2));
      all.addAll(List.of(catalog, doris, kafka, flink));
      CdcStage stage = new CdcStage(folder, catalog.get(), doris.get(), kafka.get(), flink.get());
      stage.doris.run(DATABASE, "CREATE DATABASE " + DATABASE);
      return stage;
    } catch (Exception e) {
      for (Future<? extends AutoCloseable> started : all) {
        closeIfStarted(started);
      }
      throw e;
    } finally {
      starts.shutdown();
    }
  }

  private static void closeIfStarted(Future<? extends AutoCloseable> started) {
    try {
      started.get().close();
    } catch (Exception e) {
      // It did not start; what went wrong is thrown by the caller.
    }
  }

  /** Sets the pipeline's arguments: those that all tests have, and some of one's own. */
  void prepare(String tables, List<String> more) throws IOException, InterruptedException {
    Path declaration = Files.writeString(folder.resolve("tables.json"), tables);
    Path secret = Files.writeString(folder.resolve("doris-password"), PASSWORD);
    arguments.addAll(
        List.of(
            "cdc",
            "--tables=" + declaration,
            "--kafkaServers=" + kafka.bootstrapServers(),
            "--catalogType=rest",
            "--catalogUri=" + catalog.uri(),
            "--icebergNamespace=" + DATABASE,
            "--writerId=cluster",
            "--dorisFrontends=" + doris.frontend(),
            "--dorisUser=" + DorisProcess.USER,
            "--dorisPassword=${file:" + secret + "}",
            "--dorisDatabase=" + DATABASE,
            "--dorisShards=4",
            "--dorisMaxAgeSeconds=1",
            "--upsertShards=64",
            "--upsertStoreMemoryMb=64",
            "--deadLetterFolder=" + deadLetters(),
            "--lateDataFolder=" + lateData(),
            "--attachedMode=false",
            "--checkpointingInterval=2000",
            "--maxParallelism=128"));
    arguments.addAll(more);
    upload();
  }

  private void upload() throws IOException, InterruptedException {
    jar = flink.rest().upload(ServerJars.bundle());
  }

  /** Submits the pipeline, and waits until it has completed some checkpoints. */
  void submit(int parallelism, String savepoint) throws Exception {
    job = flink.rest().run(jar, arguments, parallelism, savepoint);
    awaitCheckpoints(0, 1);
  }

  /** Waits until all tasks run and a number of checkpoints more than before are completed. */
  void awaitCheckpoints(long before, long more) throws Exception {
    Poll.until(
        "job " + job + " runs and completes checkpoints",
        PATIENCE,
        () ->
            flink.rest().isRunning(job) && flink.rest().completedCheckpoints(job) >= before + more,
        () -> flink.rest().failures(job) + flink.tails());
  }

  /** Kills a TaskManager, starts another one, and waits until the job is restored. */
  void replaceTaskManager(int number) throws Exception {
    long restored = flink.rest().restored(job);
    flink.killTaskManager(number);
    flink.startTaskManager(number);
    Poll.until(
        "job " + job + " is restored",
        PATIENCE,
        () -> flink.rest().restored(job) > restored,
        () -> flink.rest().failures(job) + flink.tails());
    awaitCheckpoints(flink.rest().completedCheckpoints(job), 1);
  }

  /** Kills the JobManager, starts another one, and waits until it has the job restored. */
  void replaceJobManager() throws Exception {
    flink.killJobManager();
    flink.restartJobManager();
    Poll.until(
        "job " + job + " is restored by another JobManager",
        PATIENCE,
        () -> flink.rest().restored(job) > 0,
        flink::tails);
    awaitCheckpoints(0, 1);
  }

  /**
   * Kills all of the cluster, which nobody remembers, and submits the bundle to a new one from the
   * newest checkpoint that the old one has left.
   *
   * @return the checkpoint
   */
  Path replaceCluster(int parallelism) throws Exception {
    flink.killJobManager();
    flink.killTaskManagers();
    Path checkpoint = flink.retainedCheckpoint(job);
    flink.restart();
    submitAgain(parallelism, checkpoint);
    return checkpoint;
  }

  /**
   * Kills the JobManager, whose successor knows of no job, and submits the bundle to that one from
   * the newest checkpoint that is left. The TaskManagers stay.
   *
   * @return the checkpoint
   */
  Path replaceForgetfulJobManager(int parallelism) throws Exception {
    flink.killJobManager();
    Path checkpoint = flink.retainedCheckpoint(job);
    flink.restartJobManager();
    submitAgain(parallelism, checkpoint);
    return checkpoint;
  }

  private void submitAgain(int parallelism, Path checkpoint) throws Exception {
    upload();
    submit(parallelism, checkpoint.toUri().toString());
  }

  /** Stops the job with a savepoint, and starts it from there with another parallelism. */
  void rescale(int parallelism) throws Exception {
    String savepoint = flink.rest().stopWithSavepoint(job);
    submit(parallelism, savepoint);
    if (flink.rest().parallelism(job) != parallelism) {
      throw new IllegalStateException(
          "The job was to run with parallelism "
              + parallelism
              + ", and runs with "
              + flink.rest().parallelism(job));
    }
  }

  String job() {
    return job;
  }

  Path folder() {
    return folder;
  }

  Path deadLetters() {
    return folder.resolve("dead-letters");
  }

  Path lateData() {
    return folder.resolve("late-data");
  }

  /** All files in a folder, which may be missing. */
  static List<Path> files(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  RestCatalogProcess catalog() {
    return catalog;
  }

  DorisProcess doris() {
    return doris;
  }

  KafkaProcess kafka() {
    return kafka;
  }

  FlinkCluster flink() {
    return flink;
  }

  @Override
  public void close() {
    flink.close();
    kafka.close();
    doris.close();
    catalog.close();
  }
}
