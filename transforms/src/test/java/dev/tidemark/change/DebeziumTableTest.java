package dev.tidemark.change;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.change.DebeziumFixtures.Format;
import dev.tidemark.change.LogPosition.Step;
import java.math.BigDecimal;
import java.time.temporal.ChronoUnit;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.PythonCallable;
import org.apache.beam.sdk.values.Row;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class DebeziumTableTest {
  @Test
  public void derivedSchemasAreThoseOfTheSourcesTables() {
    assertThat(derived("customers").declaredSchema(), equalTo(DebeziumFixtures.customers()));
    assertThat(derived("order_items").declaredSchema(), equalTo(DebeziumFixtures.orderItems()));
    assertThat(derived("docs").declaredSchema(), equalTo(DebeziumFixtures.docs()));
    assertThat(derived("audit_nokey").declaredSchema(), equalTo(DebeziumFixtures.audit()));
    assertThat(
        derived("orders").declaredSchema().getField("total").getType().getLogicalType().toString(),
        containsString(FixedPrecisionNumeric.class.getSimpleName()));
  }

  @Test
  public void derivedTableKnowsKeyUnitsScalesAndDefaults() {
    DebeziumTable orders = derived("orders");
    assertThat(orders.topic(), is("pg.shop.orders"));
    assertThat(orders.key(), equalTo(ImmutableSet.of("order_id", "region")));
    assertThat(orders.encoding("placed").timeUnit(), is(ChronoUnit.MICROS));
    assertThat(orders.encoding("cutoff").timeUnit(), is(ChronoUnit.MILLIS));
    assertThat(orders.encoding("total").scale(), is(4));
    assertThat(orders.defaultOf("coupon"), is(new BigDecimal("1.50")));
    assertThat(derived("customers").defaultOf("vip"), is(false));
    assertThat(derived("audit_nokey").key(), equalTo(ImmutableSet.of()));
  }

  @Test
  public void sampleWithoutEnvelopeIsRefused() {
    DebeziumRecord sample = DebeziumFixtures.records(Format.PRECISE).get(0);
    assertThat(
        assertThrows(IllegalArgumentException.class, () -> DebeziumTable.fromSample(sample))
            .getMessage(),
        containsString("the value has no schema"));
  }

  @Test
  public void unsupportedTypeIsRefusedByColumn() {
    Schema schema = Schema.builder().addLogicalTypeField("f", new PythonCallable()).build();
    assertThat(
        assertThrows(IllegalArgumentException.class, () -> DebeziumTable.of("t", schema))
            .getMessage(),
        containsString("Cannot parse column f of t"));
  }

  @Test
  public void unknownColumnIsRefused() {
    DebeziumTable table = DebeziumTable.of("t", DebeziumFixtures.audit());
    assertThrows(IllegalArgumentException.class, () -> table.withKey("id"));
    assertThrows(IllegalArgumentException.class, () -> table.withScale("id", 2));
    assertThrows(IllegalArgumentException.class, () -> table.withTimeUnit("id", ChronoUnit.MILLIS));
  }

  @Test
  public void timeUnitMustBeOneThatDebeziumWrites() {
    DebeziumTable table = DebeziumTable.of("t", DebeziumFixtures.audit());
    assertThrows(IllegalArgumentException.class, () -> table.withTimeUnit(ChronoUnit.SECONDS));
  }

  @Test
  public void defaultMustHaveTheColumnsType() {
    DebeziumTable table = DebeziumTable.of("t", DebeziumFixtures.audit());
    assertThat(
        assertThrows(IllegalArgumentException.class, () -> table.withDefault("n", "1"))
            .getMessage(),
        containsString("must be a INT64"));
  }

  @Test
  public void tablesMustHaveTopicsOfTheirOwn() {
    DebeziumTable table = DebeziumTable.of("t", DebeziumFixtures.audit());
    assertThrows(
        IllegalArgumentException.class,
        () -> ParseDebezium.forTables(table, table.withDecimalsAsText()));
  }

  @Test
  public void unknownColumnOfAChangeMustBeNull() {
    Schema schema = Schema.builder().addNullableField("a", FieldType.INT32).build();
    Change change = Change.of(ChangeKind.DELETE, Row.withSchema(schema).addValue(1).build());
    assertThrows(
        IllegalArgumentException.class, () -> change.withUnknownColumns(ImmutableSet.of("a")));
  }

  @Test
  public void positionsOrderByLsnThenStepThenTransactionOrder() {
    LogPosition position = LogPosition.of(16, Step.REMOVE, 5);
    assertThat(position, lessThan(LogPosition.of(17, Step.SNAPSHOT_READ, 1)));
    assertThat(position, lessThan(LogPosition.of(-1, Step.SNAPSHOT_READ, 1)));
    assertThat(position, lessThan(LogPosition.of(16, Step.ADD, 1)));
    assertThat(position, greaterThan(LogPosition.of(16, Step.SNAPSHOT_READ, 9)));
    assertThat(position, greaterThan(LogPosition.of(16, Step.REMOVE, 4)));
    assertThat(position.packed(), is(65L));
    assertThat(position.toString(), is("0/10 REMOVE 5"));
    assertThrows(ArithmeticException.class, LogPosition.of(1L << 61, Step.ADD, 0)::packed);
  }

  @Test
  public void kindsAreFoundBySymbol() {
    for (ChangeKind kind : ChangeKind.values()) {
      assertThat(ChangeKind.ofSymbol(kind.symbol()), is(kind));
    }
    assertThrows(IllegalArgumentException.class, () -> ChangeKind.ofSymbol("+D"));
  }

  @Test
  public void recordsHaveACoderByDefaultAndHideTheirContent() throws Exception {
    assertThat(
        CoderRegistry.createDefault().getCoder(DebeziumRecord.class),
        equalTo(DebeziumRecordCoder.of()));
    assertThat(
        DebeziumRecord.of("t", "secret", null)
            .withHeaders(ImmutableMap.of("h", "secret"))
            .toString(),
        is("DebeziumRecord{t, 6 bytes, null}"));
  }

  private static DebeziumTable derived(String name) {
    return DebeziumFixtures.table(Format.ENVELOPED, name);
  }
}
