package dev.tidemark.examples.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * A released Kafka broker as a process, without ZooKeeper, on loopback. Its class path is the one
 * of the module peers/kafka-3.9; nothing of it is on the caller's own. System property {@code
 * tidemark.kafka.classpath} names the file that has it.
 */
public final class KafkaProcess implements AutoCloseable {
  private static final String CLASS_PATH = "tidemark.kafka.classpath";
  private static final String CLUSTER_ID = "AAAAAAAAAAAAAAAAAAAAAA";
  private static final long START_SECONDS = 120;

  private final Process process;
  private final String bootstrapServers;

  private KafkaProcess(Process process, String bootstrapServers) {
    this.process = process;
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * Starts a broker and waits until it answers.
   *
   * @param dir for its configuration, data and logs
   */
  public static KafkaProcess start(Path dir) throws IOException, InterruptedException {
    Files.createDirectories(dir);
    int port = freePort();
    Path properties = configure(dir, port, freePort());
    Path formatLog = dir.resolve("format.log");
    Process format =
        java(
            dir,
            formatLog,
            "kafka.tools.StorageTool",
            "format",
            "-t",
            CLUSTER_ID,
            "-c",
            properties.toString());
    if (!format.waitFor(START_SECONDS, TimeUnit.SECONDS) || format.exitValue() != 0) {
      format.destroyForcibly();
      throw new IOException("Cannot format the broker's folder: " + Files.readString(formatLog));
    }
    Process broker = java(dir, dir.resolve("kafka.log"), "kafka.Kafka", properties.toString());
    Runtime.getRuntime().addShutdownHook(new Thread(broker::destroyForcibly));
    KafkaProcess started = new KafkaProcess(broker, "127.0.0.1:" + port);
    try {
      started.awaitReady(dir.resolve("kafka.log"));
    } catch (IOException | InterruptedException | RuntimeException e) {
      started.close();
      throw e;
    }
    return started;
  }

  private static Path configure(Path dir, int port, int controllerPort) throws IOException {
    Path file = dir.resolve("server.properties");
    Files.write(
        file,
        List.of(
            "process.roles=broker,controller",
            "node.id=1",
            "controller.quorum.voters=1@127.0.0.1:" + controllerPort,
            "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort,
            "advertised.listeners=PLAINTEXT://127.0.0.1:" + port,
            "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
            "controller.listener.names=CONTROLLER",
            "inter.broker.listener.name=PLAINTEXT",
            "log.dirs=" + dir.toAbsolutePath().resolve("data"),
            "num.partitions=2",
            "auto.create.topics.enable=false",
            "offsets.topic.replication.factor=1",
            "transaction.state.log.replication.factor=1",
            "transaction.state.log.min.isr=1",
            "group.initial.rebalance.delay.ms=0",
            // Records may have the times of events of long ago.
            "log.retention.ms=-1"));
    return file;
  }

  private static Process java(Path dir, Path log, String main, String... arguments)
      throws IOException {
    String classPath = System.getProperty(CLASS_PATH);
    if (classPath == null) {
      throw new IllegalStateException(
          "Cannot start a broker: system property "
              + CLASS_PATH
              + " is missing. Set it to the file target/kafka.classpath of module peers/kafka-3.9.");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.io.tmpdir=" + dir.toAbsolutePath(),
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            Files.readString(Path.of(classPath)).trim(),
            main));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private void awaitReady(Path log) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    try (Admin admin = admin()) {
      while (true) {
        try {
          admin.describeCluster().nodes().get(5, TimeUnit.SECONDS);
          return;
        } catch (ExecutionException | TimeoutException e) {
          if (!process.isAlive() || System.nanoTime() > deadline) {
            throw new IOException("Cannot start the broker: " + Files.readString(log), e);
          }
        }
      }
    }
  }

  /** {@code host:port}. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** The process id, for those that kill it. */
  public long pid() {
    return process.pid();
  }

  /** Makes topics with a number of partitions each. */
  public void createTopics(Set<String> names, int partitions) throws Exception {
    try (Admin admin = admin()) {
      admin
          .createTopics(
              names.stream().map(name -> new NewTopic(name, partitions, (short) 1)).toList())
          .all()
          .get(60, TimeUnit.SECONDS);
    }
  }

  /** Forgets a topic and its records. */
  public void deleteTopic(String name) throws Exception {
    try (Admin admin = admin()) {
      admin.deleteTopics(Set.of(name)).all().get(60, TimeUnit.SECONDS);
    }
  }

  private Admin admin() {
    return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
