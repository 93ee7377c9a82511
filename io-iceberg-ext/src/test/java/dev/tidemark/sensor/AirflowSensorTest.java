package dev.tidemark.sensor;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assume.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.HasTableOperations;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * The sensor for Airflow in {@code examples/airflow} gives the answers of this package, from the
 * metadata files of a real table. Its other tests run along.
 */
@RunWith(JUnit4.class)
public final class AirflowSensorTest {
  private static final Path FOLDER = Path.of("..", "examples", "airflow");
  private static final List<String> RANGES =
      List.of(
          "2026-01-01T10:00:00Z/2026-01-01T11:00:00Z",
          "2026-01-01T11:00:00Z/2026-01-01T12:00:00Z",
          "2026-01-01T11:00:00Z/2026-01-01T12:00:00.001Z",
          "2026-01-01T09:59:59Z/2026-01-01T11:00:00Z");

  @Rule public final SensorTable table = new SensorTable(SensorTable.Kind.HADOOP);

  private final ObjectMapper mapper = new ObjectMapper();
  private final ArrayNode cases = mapper.createArrayNode();

  /** What this package answers to each range by the version that the table is at. */
  private void addCases() {
    String metadata =
        ((HasTableOperations) table.table()).operations().current().metadataFileLocation();
    for (String range : RANGES) {
      String[] bounds = range.split("/", 2);
      ObjectNode added = cases.addObject();
      added.put("metadata", metadata.replaceFirst("^file:/*", "/"));
      added.put("start", bounds[0]).put("end", bounds[1]);
      try {
        FinalizationStatus status =
            Finalization.of(table.config(), SensorTable.TABLE)
                .status(Instant.parse(bounds[0]), Instant.parse(bounds[1]));
        added.put("state", status.state().name());
        added.put(
            "snapshotId", status.snapshotId() == null ? null : Long.toString(status.snapshotId()));
      } catch (FinalizationException e) {
        added.put("state", "ERROR");
      }
    }
  }

  @Test
  public void answersAreTheSameInPython() throws Exception {
    assumeTrue("no python3", hasPython());
    addCases();
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    long first = table.table().currentSnapshot().snapshotId();
    addCases();
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    addCases();
    long second = table.table().currentSnapshot().snapshotId();
    table.rollbackTo(first);
    addCases();
    table.rollbackTo(second);
    table.foreignAppend();
    table.foreignAppend();
    table.expire();
    addCases();
    String uuid = table.table().uuid().toString();
    table.setProperty("tidemark.finalized-until-table-uuid", "00000000-another");
    addCases();
    table.setProperty("tidemark.finalized-until-table-uuid", uuid);
    table.setProperty("tidemark.disabled", "moved");
    addCases();
    File file = new File(table.newFolder(), "cases.json");
    mapper.writeValue(file, cases);

    File output = new File(table.newFolder(), "output");
    ProcessBuilder python =
        new ProcessBuilder("python3", "-B", "-m", "unittest", "-v")
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output);
    python.environment().put("TIDEMARK_CASES", file.getPath());
    Process process = python.start();

    assertThat(process.waitFor(120, TimeUnit.SECONDS), is(true));
    String said = Files.readString(output.toPath());
    assertThat(said, process.exitValue(), is(0));
    assertThat(said, containsString("test_answers_are_those_of_tidemark"));
    assertThat(said, not(containsString("skipped")));
    assertThat(cases.size(), is(28));
  }

  private static boolean hasPython() throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))")
              .start();
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
