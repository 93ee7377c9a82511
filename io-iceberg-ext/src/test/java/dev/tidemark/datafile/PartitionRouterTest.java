package dev.tidemark.datafile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.beam.sdk.schemas.logicaltypes.NanosInstant;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.types.Types;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class PartitionRouterTest {
  private static final long MICROS_PER_HOUR = 3_600_000_000L;

  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.optional(1, "ts", Types.TimestampType.withZone()),
          Types.NestedField.optional(2, "nano", Types.TimestampNanoType.withZone()),
          Types.NestedField.optional(3, "d", Types.DateType.get()));
  private static final org.apache.beam.sdk.schemas.Schema ROWS =
      org.apache.beam.sdk.schemas.Schema.builder()
          .addNullableLogicalTypeField("ts", SqlTypes.TIMESTAMP)
          .addNullableLogicalTypeField("nano", new NanosInstant())
          .addNullableLogicalTypeField("d", SqlTypes.DATE)
          .build();

  @Test
  public void timesFallIntoTheUnitsOfIceberg() {
    List<@Nullable Instant> instants = new ArrayList<>();
    Random random = new Random(8);
    for (long hour : new long[] {0, -1, 1, 24, -24, 744, -744, 8_760, 438_300, -400_000}) {
      for (long offset : new long[] {-1, 0, 1}) {
        instants.add(micros(hour * MICROS_PER_HOUR + offset));
      }
    }
    for (int i = 0; i < 2_000; i++) {
      instants.add(i % 10 == 0 ? null : micros(random.nextLong() >> (10 + random.nextInt(40))));
    }
    for (PartitionSpec spec :
        List.of(
            spec().hour("ts").hour("nano").day("d").build(),
            spec().day("ts").day("nano").month("d").build(),
            spec().month("ts").month("nano").year("d").build(),
            spec().year("ts").year("nano").identity("d").build())) {
      assertSameAsIceberg(spec, instants);
    }
  }

  private static void assertSameAsIceberg(PartitionSpec spec, List<@Nullable Instant> instants) {
    RowShredder shredder = new RowShredder(RowSchemas.bind(ROWS, SCHEMA).plan());
    PartitionRouter router = new PartitionRouter(spec, shredder);
    InternalRecordWrapper wrapper = new InternalRecordWrapper(SCHEMA.asStruct());
    PartitionKey key = new PartitionKey(spec, SCHEMA);
    PartitionTuple last = null;
    for (Instant instant : instants) {
      LocalDate date = instant == null ? null : LocalDate.ofEpochDay(instant.getEpochSecond() / 9);
      shredder.load(Row.withSchema(ROWS).attachValues(instant, instant, date));
      boolean moved = router.moved();
      PartitionTuple tuple = router.tuple();

      GenericRecord record = GenericRecord.create(SCHEMA);
      if (instant != null) {
        record.setField("ts", instant.atOffset(java.time.ZoneOffset.UTC));
        record.setField("nano", instant.atOffset(java.time.ZoneOffset.UTC));
        record.setField("d", date);
      }
      key.partition(wrapper.wrap(record));
      for (int i = 0; i < key.size(); i++) {
        assertThat(
            spec + " of " + instant, tuple.get(i, Object.class), equalTo(key.get(i, Object.class)));
      }
      assertThat(moved, is(!tuple.equals(last)));
      last = tuple;
    }
  }

  private static Instant micros(long micros) {
    return Instant.EPOCH.plus(micros, java.time.temporal.ChronoUnit.MICROS);
  }

  private static PartitionSpec.Builder spec() {
    return PartitionSpec.builderFor(SCHEMA);
  }
}
