package dev.tidemark.candidates;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** Stored bytes of version 1. They must be readable for ever. */
public final class RecordLayoutTest {
  private static final UpsertSemantics ROWS =
      UpsertSemantics.of(UpsertStrategy.MAP).withThresholds(3, 1).withDescription("d");

  @Test
  public void smallList() {
    Shard shard = Shard.of(ROWS);
    shard.send("+I k a", "+I k a");

    assertThat(
        records(shard),
        is(
            List.of(
                record("006b", "10 02 0161"),
                record("7f", "01 00 00 00 0000000000000000 64"),
                record("7f01", "01 01 02 00"))));
  }

  @Test
  public void smallListWithUpsertKeyAndTime() {
    Shard shard = Shard.of(ROWS.withUpsertKey().withTtlMillis(1000));
    shard.at(258).send("+I k x a", "+I k y b");

    assertThat(
        records(shard),
        is(
            List.of(
                record("006b", "11 0000000000000102 0178 0161 0179 0162"),
                record("7f", "01 01 00 01 0000000000000102 64"),
                record("7f01", "01 01 02 00"))));
  }

  @Test
  public void linkedNodes() {
    Shard shard = Shard.of(ROWS);
    shard.send("+I k a", "+I k b", "+I k a");

    assertThat(
        records(shard),
        is(
            List.of(
                record("006b", "12 00 00 02 02 03"),
                record("01" + list(0) + list(0), "00 01 02 01 01 61"),
                record("01" + list(0) + list(1), "01 01 00 01 01 62"),
                record("01" + list(0) + list(2), "01 00 00 01 01 61"),
                record("02" + list(0) + "00 61", "00 02"),
                record("02" + list(0) + "00 62", "01 00"),
                record("7f", "01 00 01 00 0000000000000000 64"),
                record("7f01", "01 01 03 00"))));
  }

  @Test
  public void linkedNodesWithLongUpsertKey() {
    String identity = "z".repeat(65);
    String digest = "57685f5e43ddac1567f4d404c357c44bab70744b8b6af6009760389170c5c062";
    String hexIdentity = "7a".repeat(65);
    Shard shard = Shard.of(ROWS.withUpsertKey().withThresholds(1, 0).withTtlMillis(1));
    shard.at(0).send("+I k " + identity + " a");

    assertThat(
        records(shard),
        is(
            List.of(
                record("006b", "13 0000000000000000 00 00 00 00 01"),
                record("01" + list(0) + list(0), "00 00 00 41" + hexIdentity + "0161"),
                record("02" + list(0) + "01" + digest, "00 00"),
                record("7f", "01 01 01 01 0000000000000000 64"),
                record("7f01", "01 01 01 00"))));
  }

  @Test
  public void sweptKey() {
    Shard shard = Shard.of(ROWS.withTtlMillis(1000));
    shard.at(0).send("+I k a", "+I l a");
    shard.sweep(1);

    assertThat(TestChange.hex(shard.records().get(RecordKeys.counts())), is("01020201" + "006b"));
  }

  @Test
  public void removedList() {
    Shard shard = Shard.of(ROWS.withTtlMillis(1000));
    shard.at(0).send("+I k a", "+I k b", "+I k c");
    shard.at(1000).send("-D k a");

    assertThat(TestChange.hex(shard.records().get(RecordKeys.removedList(0))), is("01"));
    assertThat(TestChange.hex(shard.records().get(RecordKeys.counts())), is("01000002"));
    shard.sweep(1);
    assertThat(
        TestChange.hex(shard.records().get(RecordKeys.removedList(0))),
        is("01" + "01" + list(0) + list(0)));
    assertThat(TestChange.hex(RecordKeys.removedList(0)), is("03" + list(0)));
  }

  private static String record(String key, String value) {
    return (key + "=" + value).replace(" ", "");
  }

  private static String list(long number) {
    return String.format("%016x", number);
  }

  private static List<String> records(Shard shard) {
    List<String> records = new ArrayList<>();
    shard
        .records()
        .forEach((key, value) -> records.add(TestChange.hex(key) + "=" + TestChange.hex(value)));
    return records;
  }
}
