package dev.tidemark.sensor;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.commit.TidemarkKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdatePartitionSpec;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Term;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Types;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public final class PartitionNamesTest {
  private static final TidemarkKeys KEYS = TidemarkKeys.main();

  @Rule public final SensorTable table = new SensorTable(SensorTable.Kind.HADOOP);

  private void partitionBy(String column, Term... terms) {
    UpdatePartitionSpec update = table.table().updateSpec();
    for (Term term : terms) {
      update.addField(term);
    }
    update.commit();
    table.setProperty(KEYS.eventTimeColumn(), column);
  }

  private EventTimeRange range(String name) {
    return table.finalization().partition(name);
  }

  private static EventTimeRange instants(String start, String end) {
    return EventTimeRange.of(Instant.parse(start), Instant.parse(end));
  }

  private String refusal(String name) {
    return assertThrows(IllegalArgumentException.class, () -> range(name)).getMessage();
  }

  @Test
  public void hourIsNamedAsIcebergWritesIt() {
    partitionBy("ts", Expressions.hour("ts"));

    EventTimeRange hour = instants("2026-01-01T05:00:00Z", "2026-01-01T06:00:00Z");
    assertThat(range("2026-01-01-05"), is(hour));
    assertThat(range("ts_hour=2026-01-01-05"), is(hour));
  }

  @Test
  public void dayMonthAndYearAreNamedAsIcebergWritesThem() {
    partitionBy("ts", Expressions.day("ts"));
    assertThat(
        range("ts_day=2026-02-28"), is(instants("2026-02-28T00:00:00Z", "2026-03-01T00:00:00Z")));

    table.table().updateSpec().removeField("ts_day").addField(Expressions.month("ts")).commit();
    assertThat(range("2026-12"), is(instants("2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z")));

    table.table().updateSpec().removeField("ts_month").addField(Expressions.year("ts")).commit();
    assertThat(range("ts_year=2026"), is(instants("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")));
    // Partitions of older specs are still there.
    assertThat(range("ts_day=2026-02-28"), is(range("2026-02-28")));
  }

  @Test
  public void everyNameThatIcebergWritesHoldsItsInstant() {
    partitionBy("ts", Expressions.hour("ts"));
    Table loaded = table.table();
    loaded.updateSpec().removeField("ts_hour").addField(Expressions.day("ts")).commit();
    loaded.updateSpec().removeField("ts_day").addField(Expressions.month("ts")).commit();
    loaded.updateSpec().removeField("ts_month").addField(Expressions.year("ts")).commit();
    Finalization finalization = Finalization.of(table.table());
    Random random = new Random(7);
    for (PartitionSpec spec : table.table().specs().values()) {
      for (int i = 0; i < 500 && spec.isPartitioned(); i++) {
        Instant instant =
            Instant.ofEpochSecond(random.nextInt(120 * 365) * 86_400L - 40L * 365 * 86_400)
                .plusSeconds(random.nextInt(86_400));

        EventTimeRange range = finalization.partition(path(spec, instant));

        assertThat(
            path(spec, instant) + " holds " + instant,
            range.overlaps(instant, instant.plusNanos(1)),
            is(true));
        assertThat(path(spec, range.start()), is(path(spec, instant)));
        assertThat(path(spec, range.end().minusMillis(1)), is(path(spec, instant)));
      }
    }
  }

  /** The folder of a row by Iceberg's own transform and text. */
  private static String path(PartitionSpec spec, Instant instant) {
    Transform<Long, Integer> transform =
        switch (spec.fields().get(0).transform().toString()) {
          case "hour" -> Transforms.hour();
          case "day" -> Transforms.day();
          case "month" -> Transforms.month();
          default -> Transforms.year();
        };
    Integer value =
        transform.bind(Types.TimestampType.withZone()).apply(instant.toEpochMilli() * 1_000L);
    PartitionData data = new PartitionData(spec.partitionType());
    data.set(0, value);
    return spec.partitionToPath(data);
  }

  @Test
  public void otherFieldsOfTheFolderDoNotMatter() {
    partitionBy("ts", Expressions.ref("text"), Expressions.hour("ts"));

    assertThat(range("text=a%2Fb/ts_hour=2026-01-01-05"), is(range("2026-01-01-05")));
    assertThat(
        refusal("region=x/ts_hour=2026-01-01-05"), containsString("no partition field region"));
    assertThat(refusal("text=a"), containsString("ts_hour=yyyy-MM-dd-HH"));
  }

  @Test
  public void localTimesArePartitionedInTheirZone() {
    partitionBy("local", Expressions.hour("local"));
    assertThat(
        range("2026-07-01-05"), is(instants("2026-07-01T05:00:00Z", "2026-07-01T06:00:00Z")));

    table.setProperty(KEYS.eventTimeZone(), "Europe/Berlin");
    assertThat(
        range("2026-07-01-05"), is(instants("2026-07-01T03:00:00Z", "2026-07-01T04:00:00Z")));
    // Both passes of an hour that occurs twice.
    assertThat(
        range("2026-10-25-02"), is(instants("2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z")));
    // An hour that is skipped: rows that claim it are counted as if clocks had not changed.
    assertThat(
        range("2026-03-29-02"), is(instants("2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z")));
    assertThat(
        range("2026-03-29-03"), is(instants("2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z")));
  }

  @Test
  public void datesArePartitionedInTheirZoneAndInstantsInUtc() {
    partitionBy("day", Expressions.month("day"));
    table.setProperty(KEYS.eventTimeZone(), "Asia/Tokyo");
    assertThat(range("2026-07"), is(instants("2026-06-30T15:00:00Z", "2026-07-31T15:00:00Z")));

    partitionBy("ts", Expressions.day("ts"));
    assertThat(
        Duration.between(range("2026-07-01").start(), Instant.parse("2026-07-01T00:00:00Z")),
        is(Duration.ZERO));
  }

  @Test
  public void tableThatIsNotPartitionedByEventTimeIsRefused() {
    assertThat(refusal("2026-01-01-05"), containsString("names no event-time column"));

    partitionBy("ts", Expressions.bucket("id", 4));
    assertThat(refusal("2026-01-01-05"), containsString("not partitioned by hour, day"));

    partitionBy("local", Expressions.hour("ts"));
    assertThat(refusal("2026-01-01-05"), containsString("not partitioned by hour, day"));

    table.setProperty(KEYS.eventTimeColumn(), "absent");
    assertThat(refusal("2026-01-01-05"), containsString("no event-time column absent"));
  }

  @Test
  public void nameOfAnotherFormIsRefused() {
    partitionBy("ts", Expressions.hour("ts"));

    assertThat(refusal("2026-01-01"), containsString("must be like ts_hour=yyyy-MM-dd-HH"));
    assertThat(refusal("ts_hour=null"), containsString("must be like"));
    assertThat(refusal("2026-02-30-01"), containsString("a date that exists"));
    assertThat(refusal("2026-01-01-24"), containsString("a date that exists"));
    assertThat(refusal("ts_hour=2026-01-01-05/"), containsString("no partition field"));
  }

  @Test
  public void unreadableZoneIsNoAnswer() {
    partitionBy("local", Expressions.hour("local"));
    table.setProperty(KEYS.eventTimeZone(), "Europe/Berlln");

    FinalizationException failure =
        assertThrows(FinalizationException.class, () -> range("2026-01-01-05"));
    assertThat(failure.kind(), is(FinalizationException.Kind.UNREADABLE));
  }

  @Test
  public void partitionIsFinalizedAtItsEnd() {
    table.commitAndAdvance("eu", "2026-01-01T10:05:00Z");
    table.commitAndAdvance("eu", "2026-01-01T12:05:00Z");
    partitionBy("ts", Expressions.hour("ts"));
    Finalization finalization = table.finalization();

    assertThat(
        finalization.status(range("2026-01-01-11")).state(),
        is(FinalizationStatus.State.FINALIZED));
    assertThat(
        finalization.status(range("2026-01-01-12")).state(), is(FinalizationStatus.State.NOT_YET));
    assertThat(
        finalization.status(range("2026-01-01-09")).state(),
        is(FinalizationStatus.State.NOT_COVERED));
  }
}
