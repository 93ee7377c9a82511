package dev.tidemark.examples.week;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.examples.week.CrashPlan.CrashFn;
import dev.tidemark.examples.week.CrashPlan.Place;
import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.LateAlertOptions;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.iceberg.FinalizationOptions;
import dev.tidemark.iceberg.IcebergWriteResult;
import dev.tidemark.iceberg.TableCommit;
import dev.tidemark.iceberg.TableCreation;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import dev.tidemark.iceberg.WriteChanges;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.iceberg.catalog.TableIdentifier;
import org.joda.time.Duration;

/** The pipelines of the regions, and that of the backfill, into one change table. */
final class WeekPipelines {
  static final TableIdentifier TABLE = TableIdentifier.of("shop", "orders");
  private static final Duration HEARTBEAT = Duration.millis(100);

  private final CatalogConfig catalog;
  private final Scenario scenario;

  WeekPipelines(CatalogConfig catalog, Scenario scenario) {
    this.catalog = catalog;
    this.scenario = scenario;
  }

  void buildRegion(Pipeline pipeline, Region region) {
    PCollection<Change> changes =
        pipeline
            .apply("Changes", Read.from(new RegionSource(scenario, region)))
            .apply("MayCrash", ParDo.of(new CrashFn<Change>(region, Place.AT_A_ROW)))
            .setCoder(ChangeCoder.of(Delivery.SCHEMA));
    IcebergWriteResult written =
        changes.apply(
            "Write", write(region.writerId(), new SimulatedClock(scenario, region), false));
    written
        .commits()
        .apply(
            "MayCrashAfterCommit", ParDo.of(new CrashFn<TableCommit>(region, Place.AFTER_COMMIT)))
        .setCoder(written.commits().getCoder());
    WeekReports.collect(written);
  }

  /** Bounded, and of no account for the watermark: the table does not list its writer. */
  void buildBackfill(Pipeline pipeline) {
    List<Change> changes = scenario.backfill().stream().map(Delivery::change).toList();
    IcebergWriteResult written =
        pipeline
            .apply("Changes", Create.of(changes).withCoder(ChangeCoder.of(Delivery.SCHEMA)))
            .apply(
                "Write",
                write(Scenario.BACKFILL_WRITER, new SimulatedClock(scenario, Region.EU), true));
    WeekReports.collect(written);
  }

  private WriteChanges write(String writerId, SimulatedClock clock, boolean backfill) {
    return TidemarkIcebergIO.writeChanges()
        .withRows(
            TidemarkIcebergIO.writeRows()
                .withCatalog(catalog)
                .to(TABLE)
                .withWriterId(writerId)
                .withTableCreation(
                    TableCreation.unpartitioned()
                        .withPartitions("hour(" + Delivery.EVENT_TIME + ")")
                        // Four writers meet in one table every hour, and an hour is short here.
                        .withProperties(
                            Map.of(
                                // A report of the week is drawn from them.
                                "write.metadata.previous-versions-max", "10000",
                                "commit.retry.num-retries", "100",
                                "commit.retry.min-wait-ms", "5",
                                "commit.retry.max-wait-ms", "200",
                                // By the simulated clock, which jumps.
                                "commit.retry.total-timeout-ms",
                                    Integer.toString(Integer.MAX_VALUE))))
                .withEventTime(EventTimeExtractor.column(Delivery.EVENT_TIME).withClock(clock))
                .withFinalization(finalization(backfill))
                .withHeartbeatInterval(HEARTBEAT)
                .withClock(clock));
  }

  static IdleHandling idle() {
    return IdleHandling.inputWatermark(Duration.millis(Scenario.IDLE_AFTER.toMillis()))
        // An hour of simulated time passes between two signs of life.
        .withProofValidFor(Duration.standardHours(4));
  }

  private static FinalizationOptions finalization(boolean backfill) {
    return FinalizationOptions.defaults()
        .withPolicy(
            Policies.minOfMins(
                Lookback.of(
                    Scenario.LOOKBACK_COMMITS, Duration.millis(Scenario.LOOKBACK.toMillis()))))
        .withIdle(idle())
        .withRequiredWriters(
            Arrays.stream(Region.values()).map(Region::writerId).collect(Collectors.toSet()))
        .withLateAlerts(LateAlertOptions.standard().withBackfill(backfill))
        .withLateDataListeners();
  }
}
