package dev.tidemark.peers;

import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What MAP and ADAPTIVE make of changes, as far as rules in a few lines say so. It exists to tell
 * FLINK-39740 from any other difference: an addition that replaces a candidate sets the sequence
 * number that the next one is counted from to that of the replaced candidate. Where that is not the
 * last one, the next new candidate takes the place of a live one, and links break.
 */
final class SequenceModel {
  private final Setting setting;
  private final boolean released;
  private final Map<Cells, KeyState> states = new HashMap<>();

  private SequenceModel(Setting setting, boolean released) {
    this.setting = setting;
    this.released = released;
  }

  /** With FLINK-39740. */
  static SequenceModel released(Setting setting) {
    return new SequenceModel(setting, true);
  }

  /** Without FLINK-39740. */
  static SequenceModel repaired(Setting setting) {
    return new SequenceModel(setting, false);
  }

  /** Takes a change. After a failure nothing is said of the same sink key any more. */
  Outcome process(ChangeKind kind, Cells row) {
    KeyState state = states.computeIfAbsent(row.project(setting.sinkKey()), key -> new KeyState());
    try {
      return state.process(kind, row);
    } catch (NullPointerException | IllegalArgumentException e) {
      return Outcome.failed(e);
    }
  }

  private Cells identity(Cells row) {
    return setting.hasUpsertKey() ? row.project(setting.upsertKey()) : row;
  }

  /** The result of a removal. */
  private enum Removal {
    NOT_FOUND,
    OTHER,
    LAST,
    ALL
  }

  /** A candidate of the large layout, linked by sequence numbers. */
  private static final class Node {
    private final long number;
    private Cells row;
    private @Nullable Long previous;
    private @Nullable Long next;
    private @Nullable Long nextEqual;

    private Node(long number, Cells row, @Nullable Long previous) {
      this.number = number;
      this.row = row;
      this.previous = previous;
    }
  }

  /** The first and the last sequence number of equal candidates. */
  private static final class Run {
    private long first;
    private long last;

    private Run(long number) {
      this.first = number;
      this.last = number;
    }

    private void set(long first, long last) {
      require(first <= last);
      this.first = first;
      this.last = last;
    }
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new IllegalArgumentException();
    }
  }

  /** The candidates of one sink key, in one of the two layouts. */
  private final class KeyState {
    private final List<Cells> small = new ArrayList<>();
    private final Map<Object, Run> runs = new HashMap<>();
    private final Map<Long, Node> nodes = new HashMap<>();
    private @Nullable Long high;
    private long size;
    private @Nullable Cells rolledBackTo;

    Outcome process(ChangeKind kind, Cells row) {
      boolean large = setting.strategy() == UpsertStrategy.MAP || (small.isEmpty() && high != null);
      Outcome outcome = kind.adds() ? add(large, row) : remove(large, row);
      if (setting.strategy() == UpsertStrategy.ADAPTIVE) {
        adapt(large);
      }
      return outcome;
    }

    private Outcome add(boolean large, Cells row) {
      boolean first = large ? size == 0 : small.isEmpty();
      if (large && setting.hasUpsertKey()) {
        addLarge(row);
      } else if (large) {
        appendLarge(row);
      } else {
        addSmall(row);
      }
      return Outcome.emitted(first ? ChangeKind.INSERT : ChangeKind.UPDATE_AFTER, row);
    }

    private Outcome remove(boolean large, Cells row) {
      return switch (large ? removeLarge(row) : removeSmall(row)) {
        case NOT_FOUND, OTHER -> Outcome.NOTHING;
        case LAST -> Outcome.emitted(ChangeKind.UPDATE_AFTER, rolledBackTo);
        case ALL -> Outcome.emitted(ChangeKind.DELETE, row);
      };
    }

    private void adapt(boolean large) {
      if (large && size <= setting.effectiveThresholds().low()) {
        nodes.values().stream()
            .sorted((left, right) -> Long.compare(left.number, right.number))
            .forEach(node -> small.add(node.row));
        clearLarge();
      } else if (!large && small.size() >= setting.effectiveThresholds().high()) {
        small.forEach(this::appendLarge);
        small.clear();
      }
    }

    private int indexInSmall(Cells row) {
      for (int i = 0; i < small.size(); i++) {
        if (setting.hasUpsertKey()
            ? identity(small.get(i)).sameFields(identity(row))
            : small.get(i).equals(row)) {
          return i;
        }
      }
      return -1;
    }

    private void addSmall(Cells row) {
      int index = setting.hasUpsertKey() ? indexInSmall(row) : -1;
      if (index < 0) {
        small.add(row);
      } else {
        small.set(index, row);
      }
    }

    private Removal removeSmall(Cells row) {
      int index = indexInSmall(row);
      if (index < 0) {
        return Removal.NOT_FOUND;
      }
      boolean last = index == small.size() - 1;
      small.remove(index);
      if (small.isEmpty()) {
        return Removal.ALL;
      }
      rolledBackTo = small.get(small.size() - 1);
      return last ? Removal.LAST : Removal.OTHER;
    }

    /** On the heap, keys are equal by hash and by fields, so that NaN equals nothing. */
    private Object indexKey(Cells row) {
      Cells identity = identity(row);
      boolean equalsNothing =
          setting.backend() == Setting.Backend.HEAP && setting.hasUpsertKey() && identity.hasNan();
      return equalsNothing ? new Object() : identity;
    }

    private void addLarge(Cells row) {
      Object key = indexKey(row);
      Run run = runs.get(key);
      if (run == null) {
        runs.put(key, new Run(link(row)));
        return;
      }
      node(run.first).row = row;
      if (released) {
        high = run.first;
      }
    }

    private void appendLarge(Cells row) {
      Object key = indexKey(row);
      Run run = runs.get(key);
      long number = link(row);
      if (run == null) {
        runs.put(key, new Run(number));
      } else {
        node(run.last).nextEqual = number;
        run.set(run.first, number);
      }
    }

    private long link(Cells row) {
      Long before = high;
      long number = before == null ? 0 : before + 1;
      nodes.put(number, new Node(number, row, before));
      if (before != null) {
        node(before).next = number;
      }
      high = number;
      size++;
      return number;
    }

    private Removal removeLarge(Cells row) {
      Object key = indexKey(row);
      Run run = runs.get(key);
      if (run == null) {
        return Removal.NOT_FOUND;
      }
      Node node = node(run.first);
      if (node.previous == null && node.next == null) {
        require(size == 1);
        clearLarge();
        return Removal.ALL;
      }
      boolean last = node.next == null;
      nodes.remove(node.number);
      require(size > 0);
      size--;
      if (last) {
        high = node.previous;
      }
      if (node.nextEqual == null) {
        runs.remove(key);
      } else {
        run.set(node.nextEqual, run.last);
      }
      if (node.previous != null) {
        node(node.previous).next = node.next;
        rolledBackTo = node(node.previous).row;
      }
      if (node.next != null) {
        node(node.next).previous = node.previous;
      }
      return last ? Removal.LAST : Removal.OTHER;
    }

    private Node node(long number) {
      Node node = nodes.get(number);
      if (node == null) {
        throw new NullPointerException("A node is missing.");
      }
      return node;
    }

    private void clearLarge() {
      nodes.clear();
      runs.clear();
      high = null;
      size = 0;
    }
  }
}
