package dev.tidemark.examples.cluster;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.junit.Assume.assumeNotNull;
import static org.junit.Assume.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What docs/how-to-read-with-sql.md says of Trino; in long builds, and where there is a JDK 24. */
@RunWith(JUnit4.class)
public final class TrinoIT {
  private static final int BATCH = 200;

  @Test
  public void plainSqlReadsTheWatermarkAndTheFacts() throws Exception {
    assumeTrue(Boolean.getBoolean("tidemark.long"));
    Path jdk = TrinoProcess.jdk();
    assumeNotNull(jdk);
    Path folder = ServerJars.newFolder("trino");
    try (RestCatalogProcess server = RestCatalogProcess.start(folder);
        TrinoProcess trino = TrinoProcess.start(folder, jdk, server.uri())) {
      Instant first = Instant.now().minus(Duration.ofHours(30)).truncatedTo(ChronoUnit.HOURS);
      OrderChanges source =
          new OrderChanges(
              OrderChanges.catalog(server.uri()),
              new OrderEvents(7, first, Duration.ofSeconds(45)));
      source.write(BATCH);
      source.write(BATCH);
      Map<String, String> values = new HashMap<>();

      List<JsonNode> facts =
          SqlBlocks.run("how-to-read-with-sql.md", "Trino", values, trino::query);

      FinalizationReport report =
          Finalization.of(OrderChanges.catalog(server.uri()), OrderChanges.TABLE).report();
      assertThat(Instant.parse(values.get("watermark")), is(equalTo(report.finalizedUntil())));
      assertThat(values.get("moved_by"), is(equalTo(String.valueOf(report.watermarkSnapshotId()))));
      assertThat(values.get("held"), is("1"));
      assertThat(values.get("snapshot"), is(equalTo(String.valueOf(report.headSnapshotId()))));
      assertThat(Integer.parseInt(values.get("records")), is(greaterThan(0)));
      assertThat(facts.size(), is(2));
      assertThat(facts.get(1).path("records").asInt(), is(BATCH));
      assertThat(
          Instant.parse(facts.get(1).path("finalized_until_before").asText())
              .isBefore(report.finalizedUntil()),
          is(true));
    }
  }
}
