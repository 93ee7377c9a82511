package dev.tidemark.candidates;

import dev.tidemark.candidates.UpsertSemantics.HardBound;
import dev.tidemark.change.ChangeKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What a changelog means, written down as plainly as possible: one change after the other. */
final class ReferenceLists {
  /** The lists that are not empty, by sink key. */
  final Map<ByteBuffer, ReferenceList> lists = new TreeMap<>();

  private UpsertSemantics semantics;
  private boolean ttlEnabled;
  private long ttlEnabledAt;
  int silent;
  int unmatched;
  int expiries;
  int dropped;

  ReferenceLists(UpsertSemantics semantics) {
    this.semantics = semantics;
  }

  /** Begins a batch under semantics that may have changed. */
  void begin(UpsertSemantics now, long nowMillis) {
    semantics = now;
    if (ttlEnabled != now.ttlMillis() > 0) {
      ttlEnabled = !ttlEnabled;
      ttlEnabledAt = nowMillis;
    }
  }

  /** Applies a change; returns what it emits, null for nothing. */
  @Nullable String apply(TestChange change, long nowMillis) {
    ReferenceList list =
        lists.computeIfAbsent(ByteBuffer.wrap(change.key()), k -> new ReferenceList());
    forgetIfExpired(list, nowMillis);
    String emission =
        change.kind().adds() ? add(list, change, nowMillis) : retract(list, change, nowMillis);
    if (list.large && list.candidates.size() <= semantics.low()) {
      list.large = false;
    } else if (!list.large && list.candidates.size() >= semantics.high()) {
      list.large = true;
    }
    if (list.candidates.isEmpty()) {
      lists.remove(ByteBuffer.wrap(change.key()));
    }
    return emission;
  }

  /** Removes all expired lists. */
  void sweep(long nowMillis) {
    lists.values().forEach(list -> forgetIfExpired(list, nowMillis));
    lists.values().removeIf(list -> list.candidates.isEmpty());
  }

  private void forgetIfExpired(ReferenceList list, long nowMillis) {
    long since = Math.max(ttlEnabledAt, list.timed ? list.lastWrite : ttlEnabledAt);
    if (ttlEnabled && !list.candidates.isEmpty() && since + semantics.ttlMillis() <= nowMillis) {
      list.candidates.clear();
      list.large = false;
      expiries++;
    }
  }

  private String add(ReferenceList list, TestChange change, long nowMillis) {
    boolean empty = list.candidates.isEmpty();
    int match = semantics.hasUpsertKey() ? list.find(change) : -1;
    if (match >= 0) {
      list.candidates.set(match, change);
    } else {
      if (semantics.hardBound() > 0
          && list.candidates.size() >= semantics.hardBound()
          && semantics.atHardBound() == HardBound.FAIL) {
        throw new IllegalStateException("hard bound");
      }
      list.candidates.add(change);
      while (semantics.hardBound() > 0 && list.candidates.size() > semantics.hardBound()) {
        list.candidates.remove(0);
        dropped++;
      }
    }
    list.written(nowMillis);
    return emission(empty ? ChangeKind.INSERT : ChangeKind.UPDATE_AFTER, change.payload());
  }

  private @Nullable String retract(ReferenceList list, TestChange change, long nowMillis) {
    int match = list.find(change);
    if (match < 0) {
      unmatched++;
      return null;
    }
    TestChange removed = list.candidates.remove(match);
    list.written(nowMillis);
    if (list.candidates.isEmpty()) {
      return emission(ChangeKind.DELETE, change.complete() ? change.payload() : removed.payload());
    }
    if (match == list.candidates.size()) {
      return emission(ChangeKind.UPDATE_AFTER, list.candidates.get(match - 1).payload());
    }
    silent++;
    return null;
  }

  /** How what a change emits is written down. */
  static String emission(ChangeKind kind, byte[] payload) {
    return kind.symbol() + " " + TestChange.hex(payload);
  }

  /** One list. */
  final class ReferenceList {
    final List<TestChange> candidates = new ArrayList<>();
    boolean large;
    private boolean timed;
    private long lastWrite;

    private void written(long nowMillis) {
      timed = ttlEnabled;
      lastWrite = nowMillis;
    }

    private int find(TestChange change) {
      for (int i = 0; i < candidates.size(); i++) {
        if (candidates.get(i).matches(change, semantics, large)) {
          return i;
        }
      }
      return -1;
    }
  }
}
