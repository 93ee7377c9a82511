package dev.tidemark.examples.benchmarks.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The change events of the shop's orders as Debezium writes them, with full before images, always
 * the same ones: first an insert of each key, then events of random keys. A key that is absent is
 * inserted; of the others one in ten is deleted, with a tombstone, and the rest are updated.
 *
 * <p>The source's time goes on with the events, through three hours from the first to the last.
 */
final class OrderLog {
  private static final long FIRST_MILLIS = 1_767_225_600_000L; // 2026-01-01T00:00:00Z
  private static final long SPAN_MICROS = 3 * 3_600_000_000L;
  private static final long FIRST_LSN = 31_000_000;
  private static final int BYTES_OF_LOG = 96;
  private static final int DELETED_ONE_IN = 10;
  private static final int EVENT_CHARACTERS = 1 << 10;

  private final int[] versions;
  private final long allEvents;
  private final StringBuilder json = new StringBuilder(EVENT_CHARACTERS);
  private int events;
  private long changes;
  private long rows;
  private long sum;

  /** Takes a record; without a value it is a tombstone. */
  interface Records {
    void add(byte[] key, byte @Nullable [] value, long millis);
  }

  /**
   * Makes a log without events.
   *
   * @param keys how many there are
   * @param allEvents how many events there will be at most
   */
  OrderLog(int keys, long allEvents) {
    this.versions = new int[keys];
    this.allEvents = allEvents;
  }

  /** Writes an insert of each key. */
  void insertAll(Records records) {
    for (int key = 0; key < versions.length; key++) {
      next(key, records);
    }
  }

  /** Writes so many events of random keys. */
  void mixed(long count, Records records) {
    for (long i = 0; i < count; i++) {
      next((int) (OrderRow.mix(events) % versions.length), records);
    }
  }

  /** What tables hold after these events. */
  Expected expected() {
    return new Expected(events, changes, rows, sum);
  }

  int keys() {
    return versions.length;
  }

  /** The row of a key, null if it has none. */
  @Nullable OrderRow row(int key) {
    return versions[key] == 0 ? null : new OrderRow(key, versions[key]);
  }

  private void next(int key, Records records) {
    OrderRow before = row(key);
    events++;
    boolean deletes = before != null && OrderRow.mix(-events) % DELETED_ONE_IN == 0;
    OrderRow after = deletes ? null : new OrderRow(key, events);
    versions[key] = after == null ? 0 : events;
    count(before, after);
    byte[] recordKey = ("{\"order_id\":" + key + "}").getBytes(UTF_8);
    long micros = FIRST_MILLIS * 1_000 + (long) ((double) events / allEvents * SPAN_MICROS);
    records.add(recordKey, value(before, after, micros), micros / 1_000);
    if (after == null) {
      records.add(recordKey, null, micros / 1_000);
    }
  }

  private void count(@Nullable OrderRow before, @Nullable OrderRow after) {
    if (before != null) {
      changes++;
      rows--;
      sum -= before.version();
    }
    if (after != null) {
      changes++;
      rows++;
      sum += after.version();
    }
  }

  private byte[] value(@Nullable OrderRow before, @Nullable OrderRow after, long micros) {
    json.setLength(0);
    append("{\"before\":", before);
    append(",\"after\":", after);
    json.append(",\"source\":{\"version\":\"3.6.1.Final\",\"connector\":\"postgresql\"");
    json.append(",\"name\":\"pg\"");
    appendTimes(micros);
    long lsn = FIRST_LSN + (long) events * BYTES_OF_LOG;
    json.append(",\"snapshot\":\"false\",\"db\":\"shop\",\"sequence\":\"[\\\"");
    json.append(lsn - BYTES_OF_LOG).append("\\\",\\\"").append(lsn).append("\\\"]\"");
    json.append(",\"schema\":\"shop\",\"table\":\"orders\",\"txId\":").append(events);
    json.append(",\"lsn\":").append(lsn).append(",\"xmin\":null,\"origin\":null");
    json.append(",\"origin_lsn\":null},\"transaction\":null,\"op\":\"");
    json.append(before == null ? 'c' : after == null ? 'd' : 'u').append('"');
    appendTimes(micros + 3_000);
    return json.append('}').toString().getBytes(UTF_8);
  }

  private void append(String name, @Nullable OrderRow row) {
    json.append(name);
    if (row == null) {
      json.append("null");
    } else {
      row.appendTo(json);
    }
  }

  private void appendTimes(long micros) {
    json.append(",\"ts_ms\":").append(micros / 1_000);
    json.append(",\"ts_us\":").append(micros);
    json.append(",\"ts_ns\":").append(micros * 1_000);
  }
}
