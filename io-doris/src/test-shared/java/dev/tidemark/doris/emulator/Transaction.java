package dev.tidemark.doris.emulator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One transaction. Guarded by the cluster's lock. */
final class Transaction {

  final long id;
  final Table table;
  final String label;
  final boolean twoPhase;
  final Instant begun;
  final Instant loadDeadline;

  TransactionState state = TransactionState.PREPARE;
  List<LoadedRow> rows = List.of();
  long rowCount;
  long bytes;
  String contentSha256 = "";
  byte[] body = {};
  @Nullable Instant precommitted;
  @Nullable Instant finished;
  @Nullable Instant visibleFrom;
  String reason = "";

  /** How many questions for its state find it unfinished; then {@link #afterPolls} happens. */
  int pollsLeft;

  @Nullable Runnable afterPolls;

  Transaction(
      long id, Table table, String label, boolean twoPhase, Instant begun, Duration timeout) {
    this.id = id;
    this.table = table;
    this.label = label;
    this.twoPhase = twoPhase;
    this.begun = begun;
    this.loadDeadline = begun.plus(timeout);
  }

  String database() {
    return table.definition().database();
  }

  TransactionInfo info() {
    return new TransactionInfo(
        id,
        database(),
        table.definition().name(),
        label,
        twoPhase,
        state,
        rowCount,
        bytes,
        contentSha256,
        begun,
        precommitted,
        finished,
        reason);
  }
}
