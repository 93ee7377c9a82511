package dev.tidemark.doris;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.doris.emulator.EqualKeys;
import dev.tidemark.doris.emulator.TransactionInfo;
import dev.tidemark.doris.emulator.TransactionState;
import dev.tidemark.streamload.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/** A table of orders in an emulator that refuses loads with a key twice. */
final class Shop implements AutoCloseable {
  static final String USER = "loader";
  static final String PASSWORD = "s3cret-pass";
  static final DorisTable ORDERS = DorisTable.of("shop", "orders").withKey("id");
  static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("id")
          .addNullableStringField("name")
          .addInt32Field("amount")
          .build();

  final DorisEmulator doris;

  private Shop(DorisEmulator doris) {
    this.doris = doris;
  }

  static Shop open() {
    return of(builder());
  }

  static DorisEmulator.Builder builder() {
    return DorisEmulator.builder().user(USER).password(PASSWORD).equalKeys(EqualKeys.REFUSE);
  }

  static Shop of(DorisEmulator.Builder builder) {
    DorisEmulator doris = builder.start();
    doris.createTable(
        "CREATE TABLE shop.orders (id BIGINT NOT NULL, name VARCHAR(40), amount INT NOT NULL)"
            + " UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1"
            + " PROPERTIES(\"enable_unique_key_merge_on_write\" = \"true\")");
    return new Shop(doris);
  }

  /** Waits of milliseconds, so that faults do not make tests slow. */
  static RetryPolicy impatient() {
    return RetryPolicy.defaults()
        .withFirstWait(Duration.ofMillis(1))
        .withFirstSlowWait(Duration.ofMillis(2))
        .withLongestWait(Duration.ofMillis(5));
  }

  DorisWrite write() {
    return DorisIO.write()
        .withFrontends(doris.frontend())
        .withUser(USER)
        .withPassword(PASSWORD)
        .to(ORDERS)
        .withLabelPrefix("test")
        .withRetryPolicy(impatient())
        .withHeartbeatInterval(org.joda.time.Duration.millis(50));
  }

  static Row order(long id, String name, int amount) {
    return Row.withSchema(SCHEMA).addValues(id, name, amount).build();
  }

  static Change upsert(long id, String name, int amount) {
    return Change.of(ChangeKind.UPDATE_AFTER, order(id, name, amount));
  }

  static Change delete(long id) {
    return Change.of(ChangeKind.DELETE, order(id, null, 0));
  }

  /** The table by id, as {@code name amount}. */
  Map<Long, String> orders() {
    Map<Long, String> orders = new TreeMap<>();
    for (Map<String, Object> row : doris.rows("shop", "orders")) {
      orders.put((Long) row.get("id"), row.get("name") + " " + row.get("amount"));
    }
    return orders;
  }

  List<TransactionInfo> transactions(TransactionState state) {
    return doris.transactions().stream().filter(info -> info.state() == state).toList();
  }

  /** What is neither committed nor aborted. */
  List<String> openTransactions() {
    List<String> open = new ArrayList<>();
    for (TransactionInfo info : doris.transactions()) {
      if (info.state() == TransactionState.PREPARE
          || info.state() == TransactionState.PRECOMMITTED) {
        open.add(info.label());
      }
    }
    return open;
  }

  @Override
  public void close() {
    doris.close();
  }
}
