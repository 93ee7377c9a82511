package dev.tidemark.examples.demo;

import com.google.common.collect.ImmutableList;
import dev.tidemark.change.DebeziumTable;
import java.math.BigDecimal;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;

/** The tables of the shop: their columns, and the key that changes are folded by. */
enum ShopTable {
  CUSTOMERS(
      "customers",
      ImmutableList.of("id"),
      "id INT NOT NULL, name STRING, email STRING, vip BOOLEAN, balance DECIMAL(12, 2),"
          + " created DATETIME(6), updated DATETIME(6), profile STRING, score DOUBLE, phone STRING") {
    @Override
    Schema schema() {
      return Schema.builder()
          .addInt32Field("id")
          .addStringField("name")
          .addNullableStringField("email")
          .addBooleanField("vip")
          .addNullableLogicalTypeField("balance", FixedPrecisionNumeric.of(12, 2))
          .addLogicalTypeField("created", SqlTypes.TIMESTAMP)
          .addNullableLogicalTypeField("updated", SqlTypes.DATETIME)
          .addNullableStringField("profile")
          .addNullableDoubleField("score")
          .addNullableStringField("phone")
          .build();
    }

    @Override
    DebeziumTable declared() {
      return DebeziumTable.of(topic(), schema()).withTimeUnit("updated", ChronoUnit.MILLIS);
    }
  },
  ORDERS(
      "orders",
      ImmutableList.of("order_id", "region"),
      "order_id BIGINT NOT NULL, region VARCHAR(32) NOT NULL, customer_id INT,"
          + " total DECIMAL(14, 4), status STRING, placed DATETIME(6), ship_date DATE,"
          + " cutoff STRING, note STRING, coupon DECIMAL(6, 2)") {
    @Override
    Schema schema() {
      return Schema.builder()
          .addInt64Field("order_id")
          .addStringField("region")
          .addNullableInt32Field("customer_id")
          .addNullableLogicalTypeField("total", FixedPrecisionNumeric.of(14, 4))
          .addStringField("status")
          .addLogicalTypeField("placed", SqlTypes.DATETIME)
          .addNullableLogicalTypeField("ship_date", SqlTypes.DATE)
          .addNullableLogicalTypeField("cutoff", SqlTypes.TIME)
          .addNullableStringField("note")
          .addNullableLogicalTypeField("coupon", FixedPrecisionNumeric.of(6, 2))
          .build();
    }

    @Override
    DebeziumTable declared() {
      return DebeziumTable.of(topic(), schema())
          .withTimeUnit("cutoff", ChronoUnit.MILLIS)
          .withDefault("coupon", new BigDecimal("1.50"));
    }
  },
  ORDER_ITEMS(
      "order_items",
      ImmutableList.of("order_id", "line_no"),
      "order_id BIGINT NOT NULL, line_no SMALLINT NOT NULL, sku STRING, qty INT,"
          + " price DECIMAL(10, 2), tags ARRAY<STRING>") {
    @Override
    Schema schema() {
      return Schema.builder()
          .addInt64Field("order_id")
          .addInt16Field("line_no")
          .addNullableStringField("sku")
          .addNullableInt32Field("qty")
          .addNullableLogicalTypeField("price", FixedPrecisionNumeric.of(10, 2))
          .addNullableArrayField("tags", FieldType.STRING.withNullable(true))
          .build();
    }

    @Override
    DebeziumTable declared() {
      return DebeziumTable.of(topic(), schema());
    }
  };

  private final String tableName;

  @SuppressWarnings("ImmutableEnumChecker") // immutable, but not annotated so
  private final ImmutableList<String> key;

  private final String servedColumns;

  ShopTable(String tableName, ImmutableList<String> key, String servedColumns) {
    this.tableName = tableName;
    this.key = key;
    this.servedColumns = servedColumns;
  }

  /** The columns as in the source's database. */
  abstract Schema schema();

  abstract DebeziumTable declared();

  DebeziumTable debezium() {
    return declared().withKey(key.toArray(new String[0]));
  }

  String tableName() {
    return tableName;
  }

  String topic() {
    return "pg.shop." + tableName;
  }

  ImmutableList<String> key() {
    return key;
  }

  /** The columns of the table in Doris. */
  String servedColumns() {
    return servedColumns;
  }

  /** The key of a row as a text. */
  String keyOf(Function<String, Object> columns) {
    return String.join("/", key.stream().map(column -> columns.apply(column).toString()).toList());
  }
}
