package dev.tidemark.peers.doris;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * The process of the released connector: runs one {@link Script} after the other on an embedded
 * Flink, until its input ends.
 *
 * <p>A line of input is the path of a script. The answer is one line, {@link #DONE} or {@link
 * #FAILED}; after the latter the exception, with its causes, is in a file beside the script.
 */
final class ReleasedClient {
  static final String DONE = "outcome done";
  static final String FAILED = "outcome failed";
  static final String FAILURE_SUFFIX = ".failure";

  private ReleasedClient() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    String path;
    while ((path = requests.readLine()) != null) {
      System.out.println(run(Path.of(path)) ? DONE : FAILED);
      System.out.flush();
    }
    // Threads of a job that failed may be left.
    System.exit(0);
  }

  private static boolean run(Path path) throws IOException, InterruptedException {
    try {
      run(Script.read(path));
      return true;
    } catch (ExecutionException | RuntimeException e) {
      StringWriter failure = new StringWriter();
      e.printStackTrace(new PrintWriter(failure));
      Files.writeString(Path.of(path + FAILURE_SUFFIX), failure.toString());
      return false;
    }
  }

  private static void run(Script script) throws ExecutionException, InterruptedException {
    Configuration configuration = new Configuration();
    configuration.setString("restart-strategy.type", "none");
    configuration.setString("rest.bind-port", "0");
    configuration.setString("taskmanager.memory.network.min", "32mb");
    configuration.setString("taskmanager.memory.network.max", "32mb");
    // Changes go to the sink as they are: nothing decides between rows of one key.
    configuration.setString("table.exec.sink.upsert-materialize", "NONE");
    configuration.setString("table.local-time-zone", "UTC");
    StreamExecutionEnvironment flink =
        StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
    flink.enableCheckpointing(script.checkpointMillis());
    StreamTableEnvironment tables = StreamTableEnvironment.create(flink);
    script.defineChanges(flink, tables);
    for (String statement : script.statements()) {
      if (statement.startsWith("INSERT ")) {
        tables.executeSql(statement).await();
      } else {
        tables.executeSql(statement);
      }
    }
  }
}
