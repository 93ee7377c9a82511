package dev.tidemark.report;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.AdvanceOutcome;
import dev.tidemark.commit.AdvanceProtocol;
import dev.tidemark.commit.AdvanceRequest;
import dev.tidemark.commit.CommitProtocol;
import dev.tidemark.commit.CommitRequest;
import dev.tidemark.commit.TableAccess;
import dev.tidemark.commit.WriterResult;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeStats;
import dev.tidemark.finalization.FinalizationPolicy;
import dev.tidemark.finalization.Lookback;
import dev.tidemark.finalization.Policies;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationTimeline;
import dev.tidemark.sensor.SensorTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.joda.time.Duration;

/**
 * A real table with a past of commits of two writers, late rows, gaps, compactions, foreign appends
 * and rollbacks, which remembers every row and every move of the watermark.
 */
final class Past {
  static final long HOUR = 3_600_000L;
  static final Lookback LOOKBACK = Lookback.of(3, Duration.standardHours(2));
  static final FinalizationPolicy POLICY = Policies.minOfMins(LOOKBACK);
  static final List<String> WRITERS = ImmutableList.of("eu", "us");

  /**
   * A commit.
   *
   * @param met the watermark before it; null if there was none
   */
  record Made(long snapshotId, String writer, long at, List<Long> rows, long past, Long met) {}

  /**
   * What happened: a commit, or a rollback that took commits away.
   *
   * @param watermark the watermark after it, and after the advance that followed it
   */
  record Event(Made made, Set<Long> gone, long at, Long watermark) {}

  private final SensorTable table;
  private final FinalizationPolicy policy;
  private final Clock clock;
  private final Random random;
  private final List<Event> events = new ArrayList<>();
  private final Map<String, Long> sequences = new HashMap<>();
  private final Map<Long, Map<String, Long>> sequencesAt = new HashMap<>();
  private Long watermark;
  private long foreignRows;

  Past(SensorTable table, FinalizationPolicy policy, Clock clock, long seed) {
    this.table = table;
    this.policy = policy;
    this.clock = clock;
    this.random = new Random(seed);
  }

  /**
   * A past of so many hours.
   *
   * @param metadataFiles how many old metadata files are left
   */
  static Past of(SensorTable table, long seed, int hours, int metadataFiles) {
    table.setProperty("write.metadata.previous-versions-max", Integer.toString(metadataFiles));
    Past past = new Past(table, POLICY, table.clock(), seed);
    for (int hour = 0; hour < hours; hour++) {
      past.hour(hour, hours);
    }
    return past;
  }

  void hour(int hour, int hours) {
    pass(HOUR);
    // For a part of the time one of them has nothing to say.
    boolean gap = hour > hours / 3 && hour < hours / 3 + 5;
    for (String writer : gap ? List.of("eu") : WRITERS) {
      pass(1 + random.nextInt(600_000));
      commit(writer, rows(), random.nextInt(6) == 0 ? 2 : 0);
      advance(writer);
    }
    if (hour % 7 == 3) {
      foreignRows += 7;
      table.foreignAppend();
    } else if (hour % 7 == 5) {
      compact();
    } else if (hour == hours / 2) {
      rollback();
    } else if (hour % 11 == 10) {
      table.expire();
    }
  }

  /** Of the last 90 minutes in general, now and then of half a day ago, seldom none at all. */
  private List<Long> rows() {
    if (random.nextInt(12) == 0) {
      return List.of();
    }
    List<Long> rows = new ArrayList<>();
    long now = now();
    for (int i = random.nextInt(20); i >= 0; i--) {
      rows.add(now - random.nextInt(5_400_000));
    }
    if (random.nextInt(5) == 0) {
      rows.add(now - 12 * HOUR - random.nextInt((int) HOUR));
    }
    return rows;
  }

  void pass(long millis) {
    try {
      table.sleeper(() -> {}).sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  long now() {
    return clock.millis();
  }

  Made commit(String writer, List<Long> rows, long past) {
    EventTimeSketch sketch =
        rows.isEmpty()
            ? EventTimeSketch.empty(HOUR)
            : EventTimeSketch.of(HOUR, rows.stream().mapToLong(Long::longValue).toArray());
    EventTimeStats stats = EventTimeStats.of(sketch).withPastCount(past);
    long sequence = sequences.merge(writer, 1L, Long::sum);
    CommitRequest request =
        CommitRequest.of(
                SensorTable.TABLE,
                writer,
                List.of(
                    WriterResult.of(
                            sequence,
                            table.config().loadTable(SensorTable.TABLE).uuid().toString(),
                            ImmutableList.of(file(Math.max(1, stats.rowCount()))))
                        .withEventTime(stats)))
            .withEventTimeColumn("ts", null)
            .withInputWatermarkMillis(now() - 2 * HOUR)
            .withLookback(policy.lookback())
            .withReplayFloor(Math.max(1, sequence - 20));
    long snapshot =
        new CommitProtocol(access(), clock, millis -> {}).commit(request, List.of()).snapshotId();
    Made made = new Made(snapshot, writer, now(), rows, past, watermark);
    events.add(new Event(made, Set.of(), now(), watermark));
    sequencesAt.put(snapshot, new HashMap<>(sequences));
    return made;
  }

  void advance(String writer) {
    AdvanceOutcome outcome =
        new AdvanceProtocol(access(), clock, millis -> {})
            .advance(
                SensorTable.TABLE,
                AdvanceRequest.of(writer, policy).withRequiredWriters(Set.copyOf(WRITERS)));
    watermark = outcome.afterMillis();
    int last = events.size() - 1;
    Event event = events.get(last);
    events.set(last, new Event(event.made(), event.gone(), event.at(), watermark));
  }

  private TableAccess access() {
    return TableAccess.of(table.config().catalog());
  }

  /** Takes the last three commits away, as far as nothing else happened since. */
  private void rollback() {
    Set<Long> gone = new HashSet<>();
    int last = events.size() - 1;
    for (int i = last; i > last - 3; i--) {
      gone.add(events.get(i).made().snapshotId());
    }
    long back = events.get(last - 3).made().snapshotId();
    table.rollbackTo(back);
    sequences.clear();
    sequences.putAll(sequencesAt.get(back));
    events.add(new Event(null, gone, now(), watermark));
  }

  private void compact() {
    Table live = table.table();
    List<DataFile> files = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = live.newScan().planFiles()) {
      tasks.forEach(task -> files.add(task.file()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long rows = files.stream().mapToLong(DataFile::recordCount).sum();
    RewriteFiles rewrite =
        live.newRewrite().validateFromSnapshot(live.currentSnapshot().snapshotId());
    files.forEach(rewrite::deleteFile);
    rewrite.addFile(file(rows)).commit();
  }

  private DataFile file(long rows) {
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(table.table().location() + "/data/" + UUID.randomUUID() + ".parquet")
        .withFileSizeInBytes(100)
        .withRecordCount(rows)
        .build();
  }

  FinalizationTimeline timeline() {
    return Finalization.of(table.config(), SensorTable.TABLE).withClock(clock).timeline();
  }

  List<Event> events() {
    return events;
  }

  List<Made> commits() {
    return events.stream().map(Event::made).filter(made -> made != null).toList();
  }

  Set<Long> gone() {
    Set<Long> gone = new HashSet<>();
    events.forEach(event -> gone.addAll(event.gone()));
    return gone;
  }

  Long watermark() {
    return watermark;
  }

  long foreignRows() {
    return foreignRows;
  }
}
