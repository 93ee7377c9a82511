package dev.tidemark.doris.emulator;

import dev.tidemark.doris.emulator.WireTestClient.Answer;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.After;

/** An emulator with tables, a clock that stands still, and short forms of what tests do with it. */
abstract class EmulatorTestBase {

  static final String TABLE =
      "CREATE TABLE db.t (id BIGINT NOT NULL, name VARCHAR(10), n INT NOT NULL DEFAULT '7')"
          + " UNIQUE KEY(id)";

  /** A clock that tests set. */
  static final class TestClock extends Clock {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    synchronized void advance(Duration duration) {
      now = now.plus(duration);
    }

    @Override
    public synchronized Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }

  final TestClock clock = new TestClock();
  private @Nullable DorisEmulator started;

  DorisEmulator start(DorisEmulator.Builder builder) {
    started = builder.clock(clock).start();
    started.createTable(TABLE);
    return started;
  }

  final DorisEmulator start() {
    return start(DorisEmulator.builder());
  }

  @After
  public final void close() {
    if (started != null) {
      started.close();
    }
  }

  final DorisEmulator doris() {
    if (started == null) {
      throw new IllegalStateException("Not started");
    }
    return started;
  }

  final String backend() {
    return doris().backends().get(0);
  }

  /** Loads lines of CSV into db.t. */
  final Answer csv(String label, String body, String... headers) throws IOException {
    return load("t", body, with(headers, "label: " + label, "column_separator: |"));
  }

  /** Pre-commits lines of CSV into db.t. */
  final Answer preCommit(String label, String body) throws IOException {
    return csv(label, body, "two_phase_commit: true");
  }

  final Answer load(String table, String body, String... headers) throws IOException {
    return WireTestClient.load(backend(), WireTestClient.loadHead("db", table, headers), body);
  }

  final Answer decide(String operation, String header) throws IOException {
    return WireTestClient.decide(backend(), "db", operation, header);
  }

  final String stateOf(String label) throws IOException {
    return WireTestClient.labelState(doris().frontend(), "db", label);
  }

  /** The visible rows of db.t as texts. */
  final List<String> rows() {
    return rows("t");
  }

  final List<String> rows(String table) {
    List<String> texts = new ArrayList<>();
    for (Map<String, @Nullable Object> row : doris().rows("db", table)) {
      texts.add(row.values().toString());
    }
    return texts;
  }

  final List<String> states() {
    return doris().transactions().stream().map(info -> info.state().name()).toList();
  }

  static String[] with(String[] some, String... more) {
    List<String> all = new ArrayList<>(List.of(some));
    all.addAll(List.of(more));
    return all.toArray(new String[0]);
  }
}
