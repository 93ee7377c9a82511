package dev.tidemark.examples.cluster;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.Random;

/**
 * A shop that is busy: inserts, updates, deletes, changes of keys, deletes and inserts of one key
 * in one transaction, transactions and parts of them that are rolled back, and large ones.
 */
final class ShopWorkload {
  private static final String[] REGIONS = {"eu", "us", "apac"};
  private static final String[] STATUS = {"new", "paid", "shipped", "cancelled"};
  private static final int CUSTOMERS = 60;

  /** Orders that are updated together, so that transactions do not grow with the tables. */
  private static final int SEVERAL = 10;

  /** Longer than what a row has in itself, so that updates do not tell it if it is unchanged. */
  private static final String LONG_NOTE = "long note ".repeat(400);

  private final Connection connection;
  private final Random random;
  private int nextCustomer = CUSTOMERS + 1;

  /** The next key that a customer's is changed to. */
  private int nextMoved = 1_000_000;

  private long nextOrder = 1;

  ShopWorkload(Connection connection, long seed) throws SQLException {
    this.connection = connection;
    this.random = new Random(seed);
    connection.setAutoCommit(false);
  }

  /** Makes the tables, with rows in them. */
  void create() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA shop");
      statement.execute(
          "CREATE TABLE shop.customers (id int PRIMARY KEY, name text NOT NULL, email text,"
              + " vip boolean NOT NULL, balance numeric(12,2), created timestamptz NOT NULL)");
      statement.execute(
          "CREATE TABLE shop.orders (order_id bigint, region text, customer_id int,"
              + " total numeric(14,4), status text NOT NULL, placed timestamp NOT NULL, note text,"
              + " PRIMARY KEY (order_id, region))");
      statement.execute("ALTER TABLE shop.orders ALTER COLUMN note SET STORAGE EXTERNAL");
      statement.execute("ALTER TABLE shop.orders REPLICA IDENTITY FULL");
      statement.execute(
          "CREATE TABLE shop.order_items (order_id bigint, line_no smallint, sku text, qty int,"
              + " price numeric(10,2), PRIMARY KEY (order_id, line_no))");
    }
    for (int id = 1; id <= CUSTOMERS; id++) {
      insertCustomer(id);
    }
    for (int i = 0; i < 40; i++) {
      insertOrder(nextOrder++, 2);
    }
    connection.commit();
  }

  /** Runs one transaction, which may be rolled back. */
  void next() throws SQLException {
    int customer = 1 + random.nextInt(nextCustomer);
    long order = 1L + random.nextInt((int) nextOrder);
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> insertOrder(nextOrder++, 1 + random.nextInt(5));
      case 3 -> insertCustomer(nextCustomer++);
      case 4 ->
          run(
              "UPDATE shop.orders SET status = ? WHERE order_id BETWEEN ? AND ?",
              status(),
              order,
              order + SEVERAL);
      case 5 -> run("UPDATE shop.orders SET total = total + 0.0001 WHERE order_id = ?", order);
      case 6 -> run("UPDATE shop.customers SET id = ? WHERE id = ?", nextMoved++, customer);
      case 7 ->
          run(
              "UPDATE shop.orders SET region = 'eu2' WHERE order_id = ? AND region <> 'eu2'",
              order);
      case 8 -> run("DELETE FROM shop.order_items WHERE order_id = ?", order);
      case 9 -> run("DELETE FROM shop.customers WHERE id = ?", customer);
      case 10 -> replaceCustomer(1 + random.nextInt(CUSTOMERS));
      case 11 -> {
        insertOrder(nextOrder++, 3);
        connection.rollback();
      }
      case 12 -> rollBackInPart();
      default ->
          run(
              "UPDATE shop.order_items SET qty = qty + 1 WHERE order_id BETWEEN ? AND ?",
              order,
              order + SEVERAL);
    }
    connection.commit();
  }

  /** Many rows in one transaction. */
  void large(int rows) throws SQLException {
    for (int i = 0; i < rows / 5; i++) {
      insertOrder(nextOrder++, 4);
    }
    connection.commit();
  }

  /** One key deleted, inserted and updated twice, all in one transaction. */
  private void replaceCustomer(int id) throws SQLException {
    run("DELETE FROM shop.customers WHERE id = ?", id);
    insertCustomer(id);
    run("UPDATE shop.customers SET vip = NOT vip WHERE id = ?", id);
    run("UPDATE shop.customers SET email = NULL WHERE id = ?", id);
  }

  private void rollBackInPart() throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    insertOrder(nextOrder++, 2);
    connection.rollback(savepoint);
    long order = nextOrder++;
    insertOrder(order, 1);
    run("DELETE FROM shop.orders WHERE order_id = ?", order);
  }

  private void insertCustomer(int id) throws SQLException {
    run(
        "INSERT INTO shop.customers VALUES (?, ?, ?, ?, ?, ?)",
        id,
        "Name " + id + " \u00e9\u4e2d",
        random.nextInt(4) == 0 ? null : "u" + id + "@example.org",
        random.nextBoolean(),
        random.nextInt(6) == 0 ? null : BigDecimal.valueOf(random.nextInt(2_000_000), 2),
        time());
  }

  private void insertOrder(long id, int items) throws SQLException {
    run(
        "INSERT INTO shop.orders VALUES (?, ?, ?, ?, ?, ?, ?)",
        id,
        REGIONS[random.nextInt(REGIONS.length)],
        1 + random.nextInt(CUSTOMERS),
        BigDecimal.valueOf(random.nextInt(), 4),
        status(),
        time(),
        random.nextInt(3) == 0 ? LONG_NOTE + id : "note " + id);
    for (int line = 1; line <= items; line++) {
      run(
          "INSERT INTO shop.order_items VALUES (?, ?, ?, ?, ?)",
          id,
          line,
          "SKU-" + random.nextInt(50),
          random.nextInt(10),
          BigDecimal.valueOf(random.nextInt(100_000), 2));
    }
  }

  private String status() {
    return STATUS[random.nextInt(STATUS.length)];
  }

  private Timestamp time() {
    Timestamp time = new Timestamp(1_700_000_000_000L + random.nextInt(50_000_000) * 1_000L);
    time.setNanos(random.nextInt(1_000_000) * 1_000);
    return time;
  }

  private void run(String text, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }
}
