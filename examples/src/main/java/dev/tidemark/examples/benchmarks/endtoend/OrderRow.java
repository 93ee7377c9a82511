package dev.tidemark.examples.benchmarks.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A row of the shop's orders. Each value is a function of its key and of the event that made it, so
 * nothing has to be kept of the rows that there are.
 *
 * @param version number of the event that made it
 */
record OrderRow(long id, long version) {
  /** The columns as PostgreSQL declares them. */
  static final String COLUMNS =
      """
      {"order_id": "bigint not null", "customer": "text", "status": "text", "quantity": "integer",
       "price": "double precision", "total": "numeric(14,2)", "placed": "timestamp(3)",
       "note": "text", "version": "bigint"}""";

  private static final String[] STATUSES = {"placed", "paid", "packed", "shipped", "returned"};
  private static final int CUSTOMERS = 10_000;
  private static final int QUANTITIES = 100;
  private static final int PRICES = 100_000;
  private static final long FIRST_PLACED_MILLIS = 1_735_000_000_000L;
  private static final int CENTS = 100;
  private static final DateTimeFormatter PLACED =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);

  private String customer() {
    return "customer-" + (1_000_000 + mix(id) % CUSTOMERS);
  }

  private String status() {
    return STATUSES[(int) (mix(id ^ version) % STATUSES.length)];
  }

  private long quantity() {
    return 1 + mix(version) % QUANTITIES;
  }

  private long priceCents() {
    return mix(id + version) % PRICES;
  }

  private long totalCents() {
    return quantity() * priceCents();
  }

  private long placedMillis() {
    return FIRST_PLACED_MILLIS + id * 1_000;
  }

  private String note() {
    return "order " + id + ", seen " + Long.toHexString(mix(version));
  }

  /** Appends it as Debezium writes it, with decimals as texts. */
  void appendTo(StringBuilder json) {
    json.append("{\"order_id\":").append(id);
    json.append(",\"customer\":\"").append(customer());
    json.append("\",\"status\":\"").append(status());
    json.append("\",\"quantity\":").append(quantity());
    json.append(",\"price\":");
    appendCents(json, priceCents());
    json.append(",\"total\":\"");
    appendCents(json, totalCents());
    json.append("\",\"placed\":").append(placedMillis());
    json.append(",\"note\":\"").append(note());
    json.append("\",\"version\":").append(version).append('}');
  }

  /** Whether the values of a row that Doris tells are those of this one. */
  boolean equalsRow(JsonNode values) {
    return values.path(0).asLong(-1) == id
        && values.path(1).asText().equals(customer())
        && values.path(2).asText().equals(status())
        && values.path(3).asLong() == quantity()
        && values.path(4).doubleValue() == (double) priceCents() / CENTS
        && values.path(5).decimalValue().movePointRight(2).longValueExact() == totalCents()
        && values.path(6).asText().equals(placed())
        && values.path(7).asText().equals(note())
        && values.path(8).asLong() == version;
  }

  /** The statement that makes their table in Doris. */
  static String createTable(String database, String table) {
    return String.format(
        "CREATE TABLE %s.%s (order_id BIGINT NOT NULL, customer VARCHAR(40) NULL,"
            + " status VARCHAR(40) NULL, quantity INT NULL, price DOUBLE NULL,"
            + " total DECIMAL(14, 2) NULL, placed DATETIME(3) NULL, note VARCHAR(80) NULL,"
            + " version BIGINT NULL) UNIQUE KEY(order_id)"
            + " DISTRIBUTED BY HASH(order_id) BUCKETS 1",
        database, table);
  }

  private String placed() {
    return PLACED.format(LocalDateTime.ofEpochSecond(placedMillis() / 1_000, 0, ZoneOffset.UTC));
  }

  private static void appendCents(StringBuilder json, long cents) {
    json.append(cents / CENTS).append('.');
    if (cents % CENTS < 10) {
      json.append('0');
    }
    json.append(cents % CENTS);
  }

  /** SplitMix64 without the sign: neighbouring numbers give unrelated values. */
  static long mix(long number) {
    long z = (number + 1) * 0x9e37_79b9_7f4a_7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
    return (z ^ (z >>> 31)) >>> 1;
  }
}
