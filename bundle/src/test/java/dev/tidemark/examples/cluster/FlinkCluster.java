package dev.tidemark.examples.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A standalone Flink cluster: a JobManager and TaskManagers with two slots each. */
final class FlinkCluster implements AutoCloseable {
  private static final Duration BOOT = Duration.ofSeconds(90);
  private static final Duration HEARD = Duration.ofMinutes(1);

  private final FlinkHome home;
  private final FlinkRest rest;
  private final List<List<String>> memory;
  private final List<ServerProcess> taskManagers = new ArrayList<>();
  private final List<ServerProcess> others = new ArrayList<>();
  private ServerProcess jobManager;

  private FlinkCluster(FlinkHome home, FlinkRest rest, List<List<String>> memory)
      throws IOException {
    this.home = home;
    this.rest = rest;
    this.memory = memory;
    this.jobManager = startJobManager();
  }

  /** Starts a cluster whose JobManager must not die. */
  static FlinkCluster start(Path folder, int taskManagers) throws Exception {
    int port = Ports.free();
    return start(
        FlinkHome.create(folder, FlinkHome.settings(folder, port)), port, taskManagers, List.of());
  }

  /** Starts a cluster whose JobManager may die: ZooKeeper knows where it was. */
  static FlinkCluster startWithZooKeeper(Path folder, int taskManagers) throws Exception {
    int port = Ports.free();
    int zooKeeperPort = Ports.free();
    Map<String, String> settings = FlinkHome.settings(folder, port);
    settings.put("high-availability.type", "zookeeper");
    settings.put("high-availability.zookeeper.quorum", "127.0.0.1:" + zooKeeperPort);
    settings.put("high-availability.storageDir", "file://" + folder.resolve("ha"));
    FlinkHome home = FlinkHome.create(folder, settings);
    return start(home, port, taskManagers, List.of(zooKeeper(home, zooKeeperPort)));
  }

  private static FlinkCluster start(
      FlinkHome home, int port, int taskManagers, List<ServerProcess> others) throws Exception {
    FlinkCluster cluster =
        new FlinkCluster(home, new FlinkRest(port), home.memory("GET_TM_RESOURCE_PARAMS"));
    cluster.others.addAll(others);
    for (int i = 0; i < taskManagers; i++) {
      cluster.taskManagers.add(cluster.newTaskManager(i));
    }
    cluster.awaitTaskManagers();
    return cluster;
  }

  private static ServerProcess zooKeeper(FlinkHome home, int port) throws Exception {
    Path settings = home.folder().resolve("conf/zoo.cfg");
    Files.writeString(
        settings,
        String.join(
            "\n",
            "tickTime=1000",
            "initLimit=10",
            "syncLimit=5",
            "dataDir=" + home.folder().resolve("zookeeper"),
            "clientPort=" + port,
            "clientPortAddress=127.0.0.1",
            "admin.enableServer=false",
            ""));
    return home.start(
        "zookeeper",
        "org.apache.flink.runtime.zookeeper.FlinkZooKeeperQuorumPeer",
        List.of("-Xmx128m", "-XX:+UseSerialGC"),
        List.of("--zkConfigFile", settings.toString(), "--peerId", "1"));
  }

  FlinkRest rest() {
    return rest;
  }

  /** Kills a TaskManager as {@code kill -9} does, and waits until the JobManager knows. */
  void killTaskManager(int number) throws Exception {
    taskManagers.get(number).kill();
    Poll.until(
        "the JobManager misses TaskManager " + number,
        HEARD,
        () -> !rest.taskManagers().contains(id(number)),
        this::tails);
  }

  /** Starts a TaskManager in place of one that was killed. */
  void startTaskManager(int number) throws Exception {
    taskManagers.set(number, newTaskManager(number));
    awaitTaskManagers();
  }

  /** Kills the JobManager as {@code kill -9} does. */
  void killJobManager() throws InterruptedException {
    jobManager.kill();
  }

  /** Kills all TaskManagers as {@code kill -9} does. */
  void killTaskManagers() throws InterruptedException {
    for (ServerProcess taskManager : taskManagers) {
      taskManager.kill();
    }
  }

  /** Starts a cluster in place of one that was killed altogether. */
  void restart() throws Exception {
    for (int number = 0; number < taskManagers.size(); number++) {
      taskManagers.set(number, newTaskManager(number));
    }
    restartJobManager();
  }

  /**
   * The newest checkpoint of a job that is whole, as it lies in the folder of checkpoints. Its
   * metadata appear there at once when it completes.
   */
  Path retainedCheckpoint(String job) throws IOException {
    Path folder = home.checkpoints().resolve(job);
    try (Stream<Path> checkpoints = Files.list(folder)) {
      return checkpoints
          .filter(checkpoint -> Files.exists(checkpoint.resolve("_metadata")))
          .max(Comparator.comparingLong(FlinkCluster::numberOf))
          .orElseThrow(() -> new IllegalStateException("No checkpoint is whole in " + folder));
    }
  }

  /** Of a folder that is named {@code chk-<number>}. */
  private static long numberOf(Path checkpoint) {
    String name = checkpoint.getFileName().toString();
    return Long.parseLong(name.substring(name.indexOf('-') + 1));
  }

  /** Starts a JobManager in place of one that was killed. */
  void restartJobManager() throws Exception {
    jobManager = startJobManager();
    awaitTaskManagers();
  }

  private ServerProcess startJobManager() throws IOException {
    return home.start(
        "jobmanager",
        "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
        List.of("-Xmx768m", "-XX:MaxMetaspaceSize=384m", "-XX:+UseSerialGC"),
        home.configDirectory());
  }

  private ServerProcess newTaskManager(int number) throws IOException {
    List<String> jvm = new ArrayList<>(memory.get(0));
    jvm.add("-XX:+UseSerialGC");
    List<String> args = new ArrayList<>(home.configDirectory());
    args.addAll(memory.get(1));
    args.add("-D");
    args.add("taskmanager.resource-id=" + id(number));
    return home.start(
        id(number), "org.apache.flink.runtime.taskexecutor.TaskManagerRunner", jvm, args);
  }

  private void awaitTaskManagers() throws Exception {
    Poll.until(
        "all TaskManagers have registered",
        BOOT,
        () -> rest.taskManagers().size() == taskManagers.size(),
        this::tails);
  }

  private static String id(int number) {
    return "taskmanager-" + number;
  }

  /** The last lines of all logs. */
  String tails() {
    return "\n"
        + ServerProcess.tail(home.log("jobmanager"))
        + IntStream.range(0, taskManagers.size())
            .mapToObj(number -> "\n" + ServerProcess.tail(home.log(id(number))))
            .collect(Collectors.joining());
  }

  /** Everything that the cluster has logged. */
  String logs() throws IOException {
    StringBuilder logs = new StringBuilder(Files.readString(home.log("jobmanager")));
    for (int number = 0; number < taskManagers.size(); number++) {
      logs.append(Files.readString(home.log(id(number))));
    }
    return logs.toString();
  }

  @Override
  public void close() {
    taskManagers.forEach(ServerProcess::close);
    jobManager.close();
    others.forEach(ServerProcess::close);
  }
}
