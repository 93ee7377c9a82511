package dev.tidemark.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import org.apache.spark.sql.SparkSession;

/**
 * Runs Spark SQL: takes a statement a line, answers with a line for each row, {@code row JSON}, and
 * then {@code end} or {@code failed REASON}.
 */
public final class SparkQueries {
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
      for (String row : session.sql(statement).toJSON().collectAsList()) {
        System.out.println("row " + row);
      }
      return "end";
    } catch (Exception e) {
      return "failed " + e.toString().replaceAll("\\R", " | ");
    }
  }
}
