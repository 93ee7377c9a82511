package dev.tidemark.examples.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a Flink distribution has beside its jars: settings, and what its scripts know of JVMs. */
final class FlinkHome {
  /** As {@code env.java.opts.all} of a distribution. */
  private static final List<String> OPENED =
      List.of(
          "--add-exports=java.base/sun.net.util=ALL-UNNAMED",
          "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
          "--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.net=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/java.text=ALL-UNNAMED",
          "--add-opens=java.base/java.time=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");

  private static final String CHECKPOINTS = "checkpoints";
  private static final String RESULT = "BASH_JAVA_UTILS_EXEC_RESULT:";

  private final Path folder;

  private FlinkHome(Path folder) {
    this.folder = folder;
  }

  /** Writes settings and the log's into a new folder. */
  static FlinkHome create(Path folder, Map<String, String> settings) throws IOException {
    Path conf = Files.createDirectories(folder.resolve("conf"));
    Files.createDirectories(folder.resolve("log"));
    Files.createDirectories(folder.resolve("tmp"));
    Files.writeString(
        conf.resolve("flink-conf.yaml"),
        settings.entrySet().stream()
            .map(setting -> setting.getKey() + ": " + setting.getValue() + "\n")
            .collect(Collectors.joining()));
    Files.writeString(
        conf.resolve("log4j.properties"),
        """
        rootLogger.level = INFO
        rootLogger.appenderRef.file.ref = File
        logger.kafka.name = org.apache.kafka
        logger.kafka.level = WARN
        appender.file.name = File
        appender.file.type = FILE
        appender.file.fileName = ${sys:log.file}
        appender.file.append = true
        appender.file.layout.type = PatternLayout
        appender.file.layout.pattern = %d{HH:mm:ss,SSS} %-5p %-40.40c [%t] - %m%n
        """);
    return new FlinkHome(folder);
  }

  /** Settings of a small cluster on loopback. */
  static Map<String, String> settings(Path folder, int restPort) throws IOException {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("jobmanager.rpc.address", "localhost");
    settings.put("jobmanager.rpc.port", Integer.toString(Ports.free()));
    settings.put("jobmanager.bind-host", "localhost");
    settings.put("jobmanager.memory.process.size", "1280m");
    settings.put("jobmanager.memory.jvm-metaspace.size", "384m");
    settings.put("taskmanager.bind-host", "localhost");
    settings.put("taskmanager.host", "localhost");
    settings.put("taskmanager.memory.process.size", "1792m");
    settings.put("taskmanager.memory.jvm-metaspace.size", "512m");
    settings.put("taskmanager.memory.managed.size", "256m");
    settings.put("taskmanager.memory.network.max", "64m");
    settings.put("taskmanager.memory.task.off-heap.size", "128m");
    settings.put("taskmanager.numberOfTaskSlots", "2");
    settings.put("rest.address", "localhost");
    settings.put("rest.bind-address", "localhost");
    settings.put("rest.port", Integer.toString(restPort));
    settings.put("web.submit.enable", "true");
    settings.put("web.upload.dir", folder.resolve("web").toString());
    settings.put("io.tmp.dirs", folder.resolve("tmp").toString());
    settings.put("cluster.evenly-spread-out-slots", "true");
    settings.put("state.backend.type", "rocksdb");
    settings.put("state.backend.incremental", "true");
    settings.put("state.checkpoints.dir", "file://" + folder.resolve(CHECKPOINTS));
    settings.put("state.savepoints.dir", "file://" + folder.resolve("savepoints"));
    settings.put("heartbeat.interval", "1000");
    settings.put("heartbeat.timeout", "6000");
    settings.put("restart-strategy.type", "fixed-delay");
    settings.put("restart-strategy.fixed-delay.attempts", "1000");
    settings.put("restart-strategy.fixed-delay.delay", "1s");
    return settings;
  }

  Path folder() {
    return folder;
  }

  /** Where checkpoints are, in a folder for each job. */
  Path checkpoints() {
    return folder.resolve(CHECKPOINTS);
  }

  /** Starts a process of the cluster. */
  ServerProcess start(String name, String mainClass, List<String> jvm, List<String> args)
      throws IOException {
    List<String> options = new ArrayList<>(jvm);
    options.add("-XX:TieredStopAtLevel=1");
    options.addAll(OPENED);
    options.add("-Dlog.file=" + log(name));
    options.add("-Dlog4j.configurationFile=file:" + folder.resolve("conf/log4j.properties"));
    options.add("-cp");
    options.add(ServerJars.classPath("flink"));
    options.add(mainClass);
    options.addAll(args);
    return ServerProcess.java(name, folder.resolve("log").resolve(name + ".out"), options);
  }

  Path log(String name) {
    return folder.resolve("log").resolve(name + ".log");
  }

  List<String> configDirectory() {
    return List.of("--configDir", folder.resolve("conf").toString());
  }

  /**
   * What Flink's scripts ask Flink for before they start a process: options of its JVM, and its
   * arguments.
   */
  List<List<String>> memory(String command) throws IOException, InterruptedException {
    List<String> args = new ArrayList<>();
    args.add(command);
    args.addAll(configDirectory());
    String name = "memory-" + command;
    try (ServerProcess process =
        start(name, "org.apache.flink.runtime.util.bash.BashJavaUtils", List.of(), args)) {
      if (process.awaitEnd(Duration.ofMinutes(1)) != 0) {
        throw new IllegalStateException("Cannot size Flink's memory:\n" + process.tail());
      }
      return process
          .output()
          .lines()
          .filter(line -> line.startsWith(RESULT))
          .map(line -> List.of(line.substring(RESULT.length()).trim().split(" +")))
          .toList();
    }
  }
}
