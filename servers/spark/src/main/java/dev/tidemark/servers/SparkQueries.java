package dev.tidemark.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import org.apache.spark.sql.SparkSession;

/**
 * Runs Spark SQL: takes a statement a line, answers with a line for each row, {@code row JSON}, and
 * then {@code end} or {@code failed REASON}. Lines {@code orders run} and its steps are
 * those of {@link MergeOrders}.
 */
public final class SparkQueries {
  private static final String ORDERS = "orders ";

  private static MergeOrders run;

  private SparkQueries() {}

  /**
   * Answers until its input ends.
   *
   * @param args settings of the session, as {@code name=value}
   */
  public static void main(String[] args) throws IOException {
    SparkSession.Builder builder = SparkSession.builder().appName("queries");
    for (String arg : args) {
      int equals = arg.indexOf('=');
      builder.config(arg.substring(0, equals), arg.substring(equals + 1));
    }
    try (SparkSession session = builder.getOrCreate();
        BufferedReader statements = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      String statement;
      while ((statement = statements.readLine()) != null) {
        System.out.println(answer(session, statement));
      }
    }
  }

  private static String answer(SparkSession session, String statement) {
    try {
      if (statement.startsWith(ORDERS)) {
        take(session, statement.substring(ORDERS.length()));
        return "end";
      }
      for (String row : session.sql(statement).toJSON().collectAsList()) {
        System.out.println("row " + row);
      }
      return "end";
    } catch (Exception e) {
      return "failed " + e.toString().replaceAll("\\R", " | ");
    }
  }

  private static void take(SparkSession session, String step) throws Exception {
    switch (step) {
      case "run" -> MergeOrders.run(session);
      case "plan" -> run = MergeOrders.plan(session);
      case "merge" -> run.merge();
      case "publish" -> run.publish();
      default -> throw new IllegalArgumentException("No such step: " + step);
    }
  }
}
