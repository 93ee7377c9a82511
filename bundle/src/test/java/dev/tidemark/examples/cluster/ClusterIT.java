package dev.tidemark.examples.cluster;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assume.assumeTrue;

import dev.tidemark.examples.cluster.OrderEvents.Order;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * The bundle on a Flink cluster of separate processes, from Kafka into a REST catalog and Doris,
 * while processes are killed and the job is rescaled: everything is there once in the end, and each
 * commit of late data was reported.
 *
 * <p>Short: one TaskManager is killed, and the job goes from parallelism 2 to 4. Long: more than
 * ten minutes with a TaskManager killed every 30 to 60 seconds, the JobManager killed once, whose
 * successor finds the job in ZooKeeper, and parallelism 2, 4 and 3. And without ZooKeeper the loss
 * of all of the cluster, and of its JobManager, each followed by a start from a checkpoint that was
 * left.
 */
@RunWith(JUnit4.class)
public final class ClusterIT {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");
  private static final Duration TOTAL = Duration.ofMinutes(10);
  private static final int LEAST_KILLS = 10;
  private static final Duration SETTLED = Duration.ofMinutes(LONG ? 10 : 3);
  private static final int EVENTS_PER_SECOND = 300;
  private static final long SEED = 20_240_607;

  /**
   * From event to event, so that an hour passes in some dozens of commits, or in some. The longer a
   * test is, the smaller they are: what is hours behind has to be late on a busy machine too, whose
   * commits are large.
   */
  private static final Duration SMALL_STEP = Duration.ofMillis(500);

  private static final Duration MIDDLE_STEP = Duration.ofSeconds(1);
  private static final Duration LARGE_STEP = Duration.ofSeconds(3);

  private static final Duration BEFORE_NOW = Duration.ofHours(100);

  /** Says where it hangs, if it does: a query of Spark has no end of its own. */
  @Rule
  public final Timeout limit =
      Timeout.builder()
          .withTimeout(LONG ? 60 : 15, TimeUnit.MINUTES)
          .withLookingForStuckThread(true)
          .build();

  private final Instant begun = Instant.now();

  /** What happens to the cluster while events come. */
  @FunctionalInterface
  private interface Disturbance {
    void happen(CdcStage stage) throws Exception;
  }

  @Test
  public void everythingIsThereOnceThroughKillsAndRescaling() throws Exception {
    if (LONG) {
      run("cluster", true, SMALL_STEP, this::killForTenMinutes);
    } else {
      run("cluster", false, LARGE_STEP, this::killAndRescale);
    }
  }

  @Test
  public void everythingIsThereOnceAfterStartsFromRetainedCheckpoints() throws Exception {
    assumeTrue("Runs with -Plong", LONG);
    run("retained", false, MIDDLE_STEP, this::loseTheCluster);
  }

  private void run(String name, boolean withZooKeeper, Duration step, Disturbance disturbance)
      throws Exception {
    OrderEvents events =
        new OrderEvents(SEED, Instant.now().minus(BEFORE_NOW).truncatedTo(ChronoUnit.HOURS), step);
    try (LateAlerts alerts = LateAlerts.start();
        CdcStage stage = CdcStage.start(name, withZooKeeper)) {
      say("servers are up");
      stage.kafka().createTopics(Set.of(OrderEvents.TOPIC), 4);
      stage.doris().run(CdcStage.DATABASE, OrderEvents.CREATE_IN_DORIS);
      stage.prepare(
          OrderEvents.TABLES,
          List.of("--finalizationPolicy=minOfMins(2, PT0S)", "--lateWebhook=" + alerts.address()));
      try (EventProducer producer =
              EventProducer.start(events, stage.kafka().bootstrapServers(), EVENTS_PER_SECOND);
          SparkReader spark = SparkReader.start(stage.folder(), stage.catalog().uri())) {
        stage.submit(2, "");
        say("the job runs");
        ChangeTable table = new ChangeTable(spark, CdcStage.DATABASE, "orders");
        table.keepMetadata();
        disturbance.happen(stage);
        producer.stop();
        say(events.count() + " events were sent");
        awaitDoris(stage.doris(), events.rows());
        awaitCommitted(table, events.count());
        stage.flink().rest().stopWithSavepoint(stage.job());
        say("the job has stopped");
        check(stage, table, events, alerts);
      }
    }
  }

  private void killAndRescale(CdcStage stage) throws Exception {
    stage.replaceTaskManager(0);
    say("a TaskManager was killed");
    stage.rescale(4);
    say("rescaled to 4");
  }

  /** Twice, since what was committed after the first start has to be known by the second one. */
  private void loseTheCluster(CdcStage stage) throws Exception {
    long before = stage.flink().rest().completedCheckpoints(stage.job());
    stage.awaitCheckpoints(before, 5);
    say("the cluster was killed, the job goes on from " + stage.replaceCluster(2));
    stage.awaitCheckpoints(0, 5);
    say("the JobManager was killed, the job goes on from " + stage.replaceForgetfulJobManager(2));
    stage.awaitCheckpoints(0, 5);
  }

  /** Kills every 30 to 60 seconds, or as soon as the job has recovered where that takes longer. */
  private void killForTenMinutes(CdcStage stage) throws Exception {
    Random random = new Random(SEED);
    Deque<Integer> parallelism = new ArrayDeque<>(List.of(4, 3));
    boolean jobManagerKilled = false;
    int killed = 0;
    Instant start = Instant.now();
    Instant due = start;
    while (killed < LEAST_KILLS || Instant.now().isBefore(start.plus(TOTAL))) {
      due = due.plusSeconds(30 + random.nextInt(31));
      awaitTime(due);
      due = Instant.now();
      stage.replaceTaskManager(killed++ % 2);
      say("TaskManagers killed: " + killed);
      if (killed == LEAST_KILLS / 4 || killed == 3 * LEAST_KILLS / 4) {
        stage.rescale(parallelism.element());
        say("rescaled to " + parallelism.remove());
      }
      if (killed == LEAST_KILLS / 2) {
        stage.replaceJobManager();
        jobManagerKilled = true;
        say("the JobManager was killed");
      }
    }
    assertThat(parallelism.isEmpty(), is(true));
    assertThat(jobManagerKilled, is(true));
  }

  /** Lets the job run without disturbance. */
  private static void awaitTime(Instant time) {
    Duration left = Duration.between(Instant.now(), time);
    while (!left.isNegative()) {
      LockSupport.parkNanos(left.toNanos());
      left = Duration.between(Instant.now(), time);
    }
  }

  private static void awaitDoris(DorisProcess doris, Map<Long, Order> expected) throws Exception {
    Poll.until(
        "Doris has the rows that the events come to",
        SETTLED,
        () -> OrderEvents.in(doris).equals(expected),
        () -> "The first row of Doris that differs: " + firstDifference(doris, expected));
  }

  private static String firstDifference(DorisProcess doris, Map<Long, Order> expected) {
    try {
      Map<Long, Order> served = OrderEvents.in(doris);
      for (long id : expected.keySet()) {
        if (!String.valueOf(served.get(id)).equals(String.valueOf(expected.get(id)))) {
          return served.get(id) + ", expected " + expected.get(id);
        }
      }
      return "none";
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Rows that are missing may still come; it is for the check to say what is there too often. */
  private static void awaitCommitted(ChangeTable table, int events) throws Exception {
    Poll.until(
        "the change table has as many rows as there were events",
        SETTLED,
        () ->
            table
                    .query("SELECT count(DISTINCT _position) AS positions FROM {table}")
                    .get(0)
                    .path("positions")
                    .asInt()
                >= events);
  }

  private void check(CdcStage stage, ChangeTable table, OrderEvents events, LateAlerts alerts)
      throws Exception {
    assertThat(table.positions(), is(equalTo(events.positions())));

    assertThat(OrderEvents.in(stage.doris()), is(equalTo(events.rows())));
    assertThat(stage.doris().violations().size(), is(0));

    List<Instant> watermarks = table.watermarks();
    Instant highest = null;
    int moves = 0;
    for (Instant watermark : watermarks) {
      if (highest != null) {
        assertThat("the watermark is gone: " + watermarks, watermark != null);
        assertThat("the watermark decreased: " + watermarks, !watermark.isBefore(highest));
      }
      moves += watermark != null && !watermark.equals(highest) ? 1 : 0;
      highest = watermark;
    }
    assertThat(moves, is(greaterThan(2)));

    Map<Long, Map<Instant, Long>> late = table.lateRecords();
    assertThat(late, is(not(anEmptyMap())));
    LateReports reports = LateReports.in(stage.lateData());
    assertThat("late records by snapshot", reports.bySnapshot(), is(equalTo(late)));
    Set<Instant> hours = new TreeSet<>();
    late.values().forEach(records -> hours.addAll(records.keySet()));
    assertThat(alerts.hours(), is(equalTo(hours)));

    assertThat(CdcStage.files(stage.deadLetters()), is(List.of()));
    assertThat(stage.flink().logs().contains(CdcStage.PASSWORD), is(false));
    say(
        String.format(
            "%d events; %d rows in Doris by %d loads; %d metadata versions, in which the watermark"
                + " moved %d times; %d late records of %d hours in %d snapshots, %d reports,"
                + " %d alerts",
            events.count(),
            events.rows().size(),
            stage.doris().visibleLoads(),
            watermarks.size(),
            moves,
            late.values().stream()
                .flatMap(records -> records.values().stream())
                .mapToLong(Long::longValue)
                .sum(),
            hours.size(),
            late.size(),
            reports.read(),
            alerts.count()));
  }

  private void say(String what) {
    System.out.printf(
        "cluster: %5.1f s  %s%n",
        Duration.between(begun, Instant.now()).toMillis() / 1_000.0, what);
  }
}
