package dev.tidemark.examples.benchmarks.endtoend;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.google.common.collect.ImmutableMap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The suite with few events: both jobs run, and their tables are compared with the events. */
@RunWith(JUnit4.class)
public class EndToEndIT {
  private static final String CLASS_PATH = "tidemark.benchmark.classPath.";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void bothJobsEndWithRightTables() throws Exception {
    Path sql = Path.of(System.getProperty("tidemark.flink-sql.target"));
    // Surefire may have put the class path into a manifest.
    String tests =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    System.setProperty(CLASS_PATH + "TidemarkJob", tests);
    System.setProperty(
        CLASS_PATH + "FlinkSqlJob",
        sql.resolve("classes") + ":" + Files.readString(sql.resolve("job.classpath")).trim());

    String line =
        EndToEndBenchmark.run(
            tests,
            folder.getRoot().toPath(),
            ImmutableMap.of(
                "ROUNDS", "1",
                "EVENTS", "0.005",
                "INTERVAL_MILLIS", "500",
                "RUNS", "(tidemark|with materializer).* parallelism 2, 500 keys"));

    Matcher told =
        Pattern.compile("end-to-end ratio_flink_sql=(\\S+) growth_parallelism=NaN growth_state=NaN")
            .matcher(line);
    assertThat(line, told.matches(), is(true));
    assertThat(Double.parseDouble(told.group(1)), greaterThan(0.0));
  }
}
