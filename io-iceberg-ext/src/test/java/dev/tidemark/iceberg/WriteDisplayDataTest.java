package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.PLACED;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.RewindPolicy;
import dev.tidemark.datafile.FileOptions;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class WriteDisplayDataTest {
  private static final CatalogConfig CATALOG =
      CatalogConfig.of(
          "lake",
          Map.of(
              "type", "rest",
              "uri", "https://user:passw0rd@lake.example/v1?key=passw0rd",
              "token", "t0ken"));

  private static final WriteRows EVERYTHING =
      TidemarkIcebergIO.writeRows()
          .withCatalog(CATALOG)
          .to(TableIdentifier.of("db", "orders"))
          .withWriterId("eu")
          .withTableCreation(TableCreation.unpartitioned().withPartitions("region"))
          .withAddedColumns(AddedColumns.EVOLVE)
          .withEventTime(PLACED)
          .withFinalization(
              FinalizationOptions.defaults()
                  .withLateDataListeners(
                      LateDataListener.webhook(URI.create("https://hooks.example/t0ken"))))
          .withAccumulator(CommitAccumulator.distinctCount("regions", "region"))
          .withAccumulator(CommitAccumulator.quantiles("amounts", "amount"))
          .withCommitHook(context -> {})
          .withOnRewind(RewindPolicy.PARK)
          .toBranch("audit")
          .withFileOptions(FileOptions.defaults().withFileNamePrefix("nightly"))
          .withCommitConcurrency(7)
          .withHeartbeatInterval(Duration.standardSeconds(3))
          .withParkedRetry(Duration.standardMinutes(2))
          .withClock(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))
          .withRowGrouping(1000)
          .withoutLaunchCheck();

  @Test
  public void eachSettingIsShown() {
    Map<String, String> items = DisplayItems.of(EVERYTHING);

    assertThat(items, hasEntry("catalog/catalogName", "lake"));
    assertThat(items, hasEntry("table", "db.orders"));
    assertThat(items, hasEntry("writerId", "eu"));
    assertThat(items, hasEntry("tableCreation/partitions", "[region]"));
    assertThat(items, hasEntry("addedColumns", "EVOLVE"));
    assertThat(items, hasEntry("eventTime", "placed"));
    assertThat(items, hasEntry("finalization/policy", "minOfMins(6, PT30M)"));
    assertThat(items, hasEntry("accumulators", "amounts,regions"));
    assertThat(items, hasEntry("commitHooks", "1"));
    assertThat(items, hasEntry("onRewind", "PARK"));
    assertThat(items, hasEntry("branch", "audit"));
    assertThat(items.get("fileOptions"), containsString("fileNamePrefix=nightly"));
    assertThat(items, hasEntry("commitConcurrency", "7"));
    assertThat(items, hasEntry("heartbeatInterval", "3000"));
    assertThat(items, hasEntry("parkedRetry", "120000"));
    assertThat(items, hasEntry("clock", "java.time.Clock$FixedClock"));
    assertThat(items, hasEntry("rowGrouping", "1000"));
    assertThat(items, hasEntry("launchCheck", "false"));
  }

  @Test
  public void secretsAreNotShown() {
    String shown =
        DisplayItems.of(EVERYTHING)
            + DisplayItems.of(TidemarkIcebergIO.writeChanges().withRows(EVERYTHING)).toString()
            + EVERYTHING;

    assertThat(shown, not(containsString("t0ken")));
    assertThat(shown, not(containsString("passw0rd")));
  }

  @Test
  public void functionOfDestinationsIsShownByItsClass() {
    assertThat(
        DisplayItems.of(TidemarkIcebergIO.writeRows().to(new ByRegion())),
        hasEntry("destinations", ByRegion.class.getName()));
  }

  @Test
  public void whatIsNotSetIsNotShown() {
    Map<String, String> items = DisplayItems.of(TidemarkIcebergIO.writeRows());

    for (String key :
        new String[] {"table", "destinations", "writerId", "branch", "clock", "rowGrouping"}) {
      assertThat(items, not(hasKey(key)));
    }
  }

  @Test
  public void changesShowTheirKindColumnAndHowTheirRowsAreWritten() {
    Map<String, String> items =
        DisplayItems.of(TidemarkIcebergIO.writeChanges().withKindColumn("op").withRows(EVERYTHING));

    assertThat(items, hasEntry("kindColumn", "op"));
    assertThat(items, hasEntry("rows/writerId", "eu"));
    assertThat(items, hasEntry("rows/catalog/catalogName", "lake"));
  }

  private static final class ByRegion implements TableDestinations {
    @Override
    public @Nullable String tableOf(Row row) {
      return row.getString("region");
    }
  }
}
