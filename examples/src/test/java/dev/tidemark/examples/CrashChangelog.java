package dev.tidemark.examples;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A changelog in which id n is a change to sink key n modulo the number of keys, so that the
 * changes of a key come from one split of the source. A plain model of candidate lists says what
 * each key must emit.
 */
final class CrashChangelog {
  static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("customer")
          .addInt64Field("order")
          .addNullableStringField("note")
          .build();

  private static final int LONGEST_NOTE = 120;

  private final List<Change> changes = new ArrayList<>();
  private final Map<Long, Outputs> outputs = new HashMap<>();

  /** What a key has emitted: how many changes, a hash of them in order, and the row it shows. */
  record Outputs(int count, long hash, @Nullable String row) implements java.io.Serializable {
    static final Outputs NONE = new Outputs(0, 0, null);

    Outputs plus(ChangeKind kind, long order, String note) {
      String text = kind.symbol() + order + note;
      return new Outputs(
          count + 1, 31 * hash + text.hashCode(), kind == ChangeKind.DELETE ? null : order + note);
    }
  }

  private record Candidate(long order, String note) {}

  /** The input rows of one sink key, and its candidates. */
  private static final class Key {
    final List<Candidate> rows = new ArrayList<>();
    final Deque<Change> next = new ArrayDeque<>();
    final List<Candidate> candidates = new ArrayList<>();
    long orders;
  }

  private CrashChangelog() {}

  static CrashChangelog of(long seed, int ids, int keys, boolean upsertKey) {
    CrashChangelog log = new CrashChangelog();
    Random random = new Random(seed);
    List<Key> all = new ArrayList<>();
    for (int key = 0; key < keys; key++) {
      all.add(new Key());
    }
    for (int id = 0; id < ids; id++) {
      int number = id % keys;
      Key key = all.get(number);
      if (key.next.isEmpty()) {
        // One key in eight grows long lists, the others stay short.
        step(number, key, number % 8 == 0 ? 0.7 : 0.35, random);
      }
      Change change = key.next.remove();
      log.changes.add(change);
      log.apply(number, key, change, upsertKey);
    }
    return log;
  }

  private static void step(long number, Key key, double inserts, Random random) {
    double dice = random.nextDouble();
    if (key.rows.isEmpty() || dice < inserts) {
      Candidate row = new Candidate(number * 1_000_000 + key.orders++, note(random));
      key.rows.add(row);
      key.next.add(change(ChangeKind.INSERT, number, row));
    } else if (dice < 0.8) {
      int index = random.nextInt(key.rows.size());
      Candidate before = key.rows.get(index);
      Candidate after = new Candidate(before.order(), note(random));
      key.rows.set(index, after);
      key.next.add(change(ChangeKind.UPDATE_BEFORE, number, before));
      key.next.add(change(ChangeKind.UPDATE_AFTER, number, after));
    } else if (dice < 0.97) {
      Candidate row = key.rows.remove(random.nextInt(key.rows.size()));
      key.next.add(change(ChangeKind.DELETE, number, row));
    } else {
      key.next.add(change(ChangeKind.DELETE, number, new Candidate(-1, "never there")));
    }
  }

  private static String note(Random random) {
    return Long.toString(random.nextLong(), 36).repeat(1 + random.nextInt(LONGEST_NOTE / 12));
  }

  private static Change change(ChangeKind kind, long customer, Candidate row) {
    return Change.of(
        kind, Row.withSchema(SCHEMA).addValues(customer, row.order(), row.note()).build());
  }

  private void apply(long number, Key key, Change change, boolean upsertKey) {
    Candidate row = new Candidate(change.row().getInt64("order"), change.row().getString("note"));
    List<Candidate> candidates = key.candidates;
    int match = -1;
    for (int i = 0; i < candidates.size() && match < 0; i++) {
      if (upsertKey ? candidates.get(i).order() == row.order() : candidates.get(i).equals(row)) {
        match = i;
      }
    }
    if (change.kind().adds()) {
      emit(number, candidates.isEmpty() ? ChangeKind.INSERT : ChangeKind.UPDATE_AFTER, row);
      if (upsertKey && match >= 0) {
        candidates.set(match, row);
      } else {
        candidates.add(row);
      }
    } else if (match >= 0) {
      boolean last = match == candidates.size() - 1;
      candidates.remove(match);
      if (candidates.isEmpty()) {
        emit(number, ChangeKind.DELETE, row);
      } else if (last) {
        emit(number, ChangeKind.UPDATE_AFTER, candidates.get(match - 1));
      }
    }
  }

  private void emit(long number, ChangeKind kind, Candidate row) {
    outputs.merge(
        number,
        Outputs.NONE.plus(kind, row.order(), row.note()),
        (before, first) -> before.plus(kind, row.order(), row.note()));
  }

  Change change(long id) {
    return changes.get((int) id);
  }

  /** What each key must have emitted at the end. */
  Map<Long, Outputs> outputs() {
    return outputs;
  }
}
