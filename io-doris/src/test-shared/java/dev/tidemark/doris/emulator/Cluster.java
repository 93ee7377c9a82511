package dev.tidemark.doris.emulator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Tables, transactions and labels: what the frontends of a cluster know. */
final class Cluster {

  private static final String EXPIRED = "timeout by txn manager";

  private final Settings settings;
  private final Map<String, Map<String, Table>> databases = new HashMap<>();
  private final TreeMap<Long, Transaction> transactions = new TreeMap<>();
  private final TreeMap<Long, Transaction> open = new TreeMap<>();
  private final ArrayDeque<Transaction> finished = new ArrayDeque<>();
  private final Map<String, Map<String, Transaction>> byLabel = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private long nextTransaction;

  Cluster(Settings settings) {
    this.settings = settings;
    this.nextTransaction = settings.firstTransactionId();
  }

  // Tables.

  synchronized void createDatabase(String name) {
    databases.computeIfAbsent(name, unused -> new HashMap<>());
  }

  synchronized void dropDatabase(String name) {
    databases.remove(name);
  }

  synchronized void createTable(TableDefinition definition, boolean ifNotExists) {
    createDatabase(definition.database());
    Table there =
        databases.get(definition.database()).putIfAbsent(definition.name(), new Table(definition));
    if (there != null && !ifNotExists) {
      throw new StatementException("Table '" + definition.name() + "' already exists");
    }
  }

  synchronized void dropTable(String database, String name, boolean ifExists) {
    Map<String, Table> tables = databases.get(database);
    if ((tables == null || tables.remove(name) == null) && !ifExists) {
      throw unknownTable(database, name);
    }
  }

  synchronized void truncate(String database, String name) {
    settle();
    required(database, name).truncate();
  }

  synchronized @Nullable TableDefinition definition(String database, String name) {
    Map<String, Table> tables = databases.get(database);
    Table table = tables == null ? null : tables.get(name);
    return table == null ? null : table.definition();
  }

  synchronized boolean hasDatabase(String database) {
    return databases.containsKey(database);
  }

  synchronized List<Map<String, @Nullable Object>> rows(String database, String name) {
    settle();
    return required(database, name).rows();
  }

  synchronized Table.Totals totals(String database, String name, String column) {
    settle();
    return required(database, name).totals(column);
  }

  private Table required(String database, String name) {
    Map<String, Table> tables = databases.get(database);
    Table table = tables == null ? null : tables.get(name);
    if (table == null) {
      throw unknownTable(database, name);
    }
    return table;
  }

  private static StatementException unknownTable(String database, String name) {
    return new StatementException("Unknown table '" + name + "' in database '" + database + "'");
  }

  // Loads.

  /** Begins a transaction, which takes the label. */
  synchronized Transaction begin(
      String database, String table, String label, boolean twoPhase, Duration timeout)
      throws LabelUsedException, LoadFailedException {
    settle();
    if (definition(database, table) == null) {
      throw LoadFailedException.analysis(
          hasDatabase(database)
              ? "unknown table, tableName=" + table
              : "unknown database, database=" + database);
    }
    Transaction last = byLabel.getOrDefault(database, Map.of()).get(label);
    if (last != null && last.state != TransactionState.ABORTED) {
      throw new LabelUsedException(label, last.id, last.state);
    }
    long running =
        open.values().stream()
            .filter(other -> other.database().equals(database) && !other.state.decided())
            .count();
    if (running >= settings.maxRunningTransactions()) {
      throw busy(database, running, settings.maxRunningTransactions());
    }
    Transaction transaction =
        new Transaction(
            nextTransaction++, required(database, table), label, twoPhase, now(), timeout);
    transactions.put(transaction.id, transaction);
    open.put(transaction.id, transaction);
    byLabel.computeIfAbsent(database, unused -> new HashMap<>()).put(label, transaction);
    return transaction;
  }

  static LoadFailedException busy(String database, long running, long limit) {
    return LoadFailedException.analysis(
        "current running txns on db "
            + (10_000 + Math.floorMod(database.hashCode(), 1000))
            + " is "
            + running
            + ", larger than limit "
            + limit);
  }

  /** Checks rows of a partial update against those that are there. */
  synchronized void checkPartial(Transaction transaction, List<LoadedRow> rows, boolean newKeysFail)
      throws LoadFailedException {
    settle();
    for (LoadedRow row : rows) {
      String missing = transaction.table.missingOfNewRow(row);
      if (missing != null) {
        throw LoadFailedException.internal(
            "the unmentioned column `"
                + missing
                + "` should have default value or be nullable for newly inserted rows in"
                + " non-strict mode partial update");
      }
      if (newKeysFail && !transaction.table.hasKeyOf(row)) {
        throw LoadFailedException.internal(
            "Can't append new rows in partial update when partial_update_new_key_behavior is"
                + " ERROR.");
      }
    }
  }

  /** Takes the rows of a load, and pre-commits it, or commits it. */
  synchronized void finishLoad(Transaction transaction, LoadedContent content, boolean publishLate)
      throws LoadFailedException {
    settle();
    if (transaction.state != TransactionState.PREPARE) {
      throw LoadFailedException.analysis(
          "transaction ["
              + transaction.id
              + "] is already "
              + lower(transaction.state)
              + ". abort reason: "
              + transaction.reason);
    }
    transaction.rows = content.rows();
    transaction.rowCount = content.total() - content.filtered();
    transaction.bytes = content.bytes();
    transaction.contentSha256 = content.sha256();
    transaction.body = content.keptBody();
    if (transaction.twoPhase) {
      transaction.state = TransactionState.PRECOMMITTED;
      transaction.precommitted = now();
    } else {
      commit(transaction, publishLate);
    }
  }

  /** Rolls a load back that failed, if it is not decided. */
  synchronized void abortLoad(Transaction transaction, String reason) {
    if (!transaction.state.decided()) {
      abort(transaction, reason);
    }
  }

  /** Lets a transaction go on behind the client's back, once it was asked for its state. */
  synchronized void finishAfterPolls(Transaction transaction, int polls, Runnable finish) {
    transaction.pollsLeft = polls;
    transaction.afterPolls = finish;
  }

  // Transactions.

  /** Commits or aborts the transaction of an id. */
  synchronized void decide(String database, long id, boolean commit, boolean publishLate)
      throws TransactionException {
    settle();
    Transaction transaction = transactions.get(id);
    if (transaction == null || !transaction.database().equals(database)) {
      throw new TransactionException("transaction [" + id + "] not found" + (commit ? "" : "."));
    }
    if (commit) {
      refuseCommit(transaction);
      commit(transaction, publishLate);
    } else {
      refuseAbort(transaction);
      abort(transaction, "User Abort");
    }
  }

  /** The transaction of a label that can be committed or aborted. */
  synchronized long runningOf(String database, String label, boolean commit)
      throws TransactionException {
    settle();
    Transaction last = byLabel.getOrDefault(database, Map.of()).get(label);
    if (last == null) {
      throw new TransactionException("transaction not found, label=" + label);
    }
    if (last.state == TransactionState.PRECOMMITTED
        || (!commit && last.state == TransactionState.PREPARE)) {
      return last.id;
    }
    throw new TransactionException("running transaction not found, label=" + label);
  }

  private static void refuseCommit(Transaction transaction) throws TransactionException {
    String subject = "transaction [" + transaction.id + "] is ";
    switch (transaction.state) {
      case PRECOMMITTED -> {}
      case ABORTED ->
          throw new TransactionException(
              subject + "already aborted. abort reason: " + transaction.reason);
      case PREPARE -> throw new TransactionException(subject + "prepare, not pre-committed.");
      default ->
          throw new TransactionException(
              subject + "already " + lower(transaction.state) + ", not pre-committed.");
    }
  }

  private static void refuseAbort(Transaction transaction) throws TransactionException {
    String subject = "transaction [" + transaction.id + "] is already ";
    if (transaction.state == TransactionState.ABORTED) {
      throw new TransactionException(subject + "aborted, abort reason: " + transaction.reason);
    }
    if (transaction.state.decided()) {
      throw new TransactionException(subject + transaction.state + ", could not abort.");
    }
  }

  private static String lower(TransactionState state) {
    return state.name().toLowerCase(java.util.Locale.ROOT);
  }

  private void commit(Transaction transaction, boolean publishLate) {
    // Versions of a table become visible in the order of their commits.
    for (Transaction earlier : List.copyOf(open.values())) {
      if (earlier.state == TransactionState.COMMITTED && earlier.table == transaction.table) {
        publish(earlier);
      }
    }
    transaction.state = TransactionState.COMMITTED;
    transaction.finished = now();
    if (publishLate) {
      transaction.visibleFrom = now().plus(settings.publishDelay());
    } else {
      publish(transaction);
    }
  }

  private void publish(Transaction transaction) {
    transaction.table.publish(transaction.rows);
    transaction.state = TransactionState.VISIBLE;
    finish(transaction);
  }

  private void abort(Transaction transaction, String reason) {
    transaction.state = TransactionState.ABORTED;
    transaction.finished = now();
    transaction.reason = reason;
    finish(transaction);
  }

  private void finish(Transaction transaction) {
    transaction.rows = List.of();
    open.remove(transaction.id);
    finished.add(transaction);
  }

  /** Aborts a pre-committed transaction as if its time had passed. */
  synchronized void expire(String database, long id) {
    Transaction transaction = open.get(id);
    if (transaction != null
        && transaction.database().equals(database)
        && transaction.state == TransactionState.PRECOMMITTED) {
      abort(transaction, EXPIRED);
    }
  }

  /** The state of a label, which is that of its last transaction. */
  synchronized String labelState(String database, String label) {
    settle();
    Transaction last = byLabel.getOrDefault(database, Map.of()).get(label);
    if (last == null) {
      return "UNKNOWN";
    }
    String state = last.state.name();
    Runnable then = last.afterPolls;
    if (then != null && --last.pollsLeft <= 0) {
      last.afterPolls = null;
      then.run();
    }
    return state;
  }

  /** The transaction of an id, or null. */
  synchronized @Nullable TransactionInfo transaction(String database, long id) {
    Transaction transaction = transactions.get(id);
    return transaction == null || !transaction.database().equals(database)
        ? null
        : transaction.info();
  }

  /** The body of a load, if bodies are kept. */
  synchronized byte[] bodyOf(long id) {
    Transaction transaction = transactions.get(id);
    if (transaction == null || !settings.keepBodies()) {
      throw new IllegalStateException(
          "Cannot find the body of transaction " + id + ": it is unknown, or bodies are not kept");
    }
    return transaction.body.clone();
  }

  synchronized List<TransactionInfo> transactions() {
    settle();
    return transactions.values().stream().map(Transaction::info).toList();
  }

  synchronized void addViolation(String violation) {
    violations.add(violation);
  }

  synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  /** Does what became due since the last time. */
  private void settle() {
    Instant now = now();
    for (Transaction transaction : List.copyOf(open.values())) {
      Instant precommitted = transaction.precommitted;
      switch (transaction.state) {
        case PREPARE -> {
          if (!now.isBefore(transaction.loadDeadline)) {
            abort(transaction, EXPIRED);
          }
        }
        case PRECOMMITTED -> {
          if (precommitted != null
              && !now.isBefore(precommitted.plus(settings.precommitLifetime()))) {
            abort(transaction, EXPIRED);
          }
        }
        default -> {
          Instant visibleFrom = transaction.visibleFrom;
          if (visibleFrom != null && !now.isBefore(visibleFrom)) {
            publish(transaction);
          }
        }
      }
    }
    forget(now);
  }

  private void forget(Instant now) {
    for (Transaction first = finished.peek(); first != null; first = finished.peek()) {
      Instant end = first.finished;
      if (end == null || now.isBefore(end.plus(settings.labelRetention()))) {
        return;
      }
      finished.remove();
      transactions.remove(first.id);
      byLabel.get(first.database()).remove(first.label, first);
    }
  }

  private Instant now() {
    return settings.clock().instant();
  }
}
