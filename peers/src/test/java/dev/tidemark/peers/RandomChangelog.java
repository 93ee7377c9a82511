package dev.tidemark.peers;

import com.google.common.collect.ImmutableList;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Changes to one to three sink keys: inserts, updates with and without the row as it was before,
 * retractions of rows that are there, that were there, and that never were; equal rows, and null
 * everywhere.
 */
final class RandomChangelog {
  private static final int PAYLOAD = 4;
  private static final int MAX_GONE = 20;
  private static final @Nullable String[] TEXTS = {
    null,
    "",
    "a",
    "b",
    "null",
    "\u0000",
    "\u00e4\u20ac\ud83c\udf0a",
    "a longer text than eight bytes"
  };
  private static final @Nullable Double[] DOUBLES = {
    null,
    0.0,
    -0.0,
    Double.NaN,
    Double.longBitsToDouble(0x7ff8000000000001L),
    Double.longBitsToDouble(0xfff8000000000000L),
    1.5,
    -1.5,
    Double.POSITIVE_INFINITY,
    Double.MIN_VALUE
  };

  private final int number;
  private final Setting setting;
  private final Random random;
  private final ImmutableList.Builder<Event.Change> changes = ImmutableList.builder();

  /** Upsert keys are drawn from so many; the more, the longer lists grow. */
  private final int domain;

  private int payloads;

  RandomChangelog(int number, Setting setting, Random random) {
    this.number = number;
    this.setting = setting;
    this.random = random;
    this.domain = random.nextInt(4) == 0 ? 1_000_000 : 2 + random.nextInt(12);
  }

  List<Event.Change> changes() {
    List<SinkKey> keys = new ArrayList<>();
    int keyCount = random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1;
    for (int i = 0; i < keyCount; i++) {
      keys.add(new SinkKey(key(i)));
    }
    for (int left = length(); left > 0; left--) {
      keys.get(random.nextInt(keyCount)).change();
    }
    return changes.build();
  }

  /** Long enough for the thresholds now and then. */
  private int length() {
    Setting.Thresholds thresholds = setting.effectiveThresholds();
    return switch (random.nextInt(20)) {
      case 0 -> 2 * thresholds.high() + random.nextInt(2 * thresholds.high() + 1);
      case 1, 2, 3 -> 100 + random.nextInt(100);
      default -> 1 + random.nextInt(70);
    };
  }

  /** The first changelog has the sink key null. */
  private @Nullable Object key(int index) {
    if (number == 0 && index == 0) {
      return null;
    }
    int key = 10 * number + index;
    return setting.columns().get(0) == ColumnType.INT ? (Object) key : "key " + key;
  }

  /** What is done to one sink key. */
  private final class SinkKey {
    private final @Nullable Object key;
    private final List<Cells> live = new ArrayList<>();
    private final List<Cells> gone = new ArrayList<>();
    private double additions = 0.6;

    private SinkKey(@Nullable Object key) {
      this.key = key;
    }

    void change() {
      if (random.nextInt(25) == 0) {
        additions = 0.2 + 0.7 * random.nextDouble();
      }
      if (!live.isEmpty() && random.nextInt(6) == 0) {
        update();
      } else if (random.nextDouble() < additions) {
        add(addition());
      } else {
        retract(retraction());
      }
    }

    /** In order, or the new row first as after a shuffle. */
    private void update() {
      Cells before = live.get(random.nextInt(live.size()));
      Cells after = before.with(PAYLOAD, payload());
      if (random.nextInt(5) == 0) {
        add(after);
        retract(before);
      } else {
        retract(before);
        add(after);
      }
    }

    private Cells addition() {
      if (!live.isEmpty()) {
        Cells one = live.get(random.nextInt(live.size()));
        switch (random.nextInt(6)) {
          case 0:
            return one;
          case 1:
            return one.with(PAYLOAD, payload());
          default:
            break;
        }
      }
      return row();
    }

    private Cells retraction() {
      int choice = random.nextInt(20);
      if (choice == 0 || live.isEmpty()) {
        return gone.isEmpty() || random.nextBoolean()
            ? row()
            : gone.get(random.nextInt(gone.size()));
      }
      Cells row =
          switch (random.nextInt(3)) {
            case 0 -> live.get(0);
            case 1 -> live.get(live.size() - 1);
            default -> live.get(random.nextInt(live.size()));
          };
      return choice <= 3 ? row.with(PAYLOAD, payload()) : row;
    }

    private void add(Cells row) {
      changes.add(
          new Event.Change(
              number, random.nextBoolean() ? ChangeKind.INSERT : ChangeKind.UPDATE_AFTER, row));
      live.add(row);
    }

    private void retract(Cells row) {
      changes.add(
          new Event.Change(
              number, random.nextBoolean() ? ChangeKind.DELETE : ChangeKind.UPDATE_BEFORE, row));
      if (live.remove(row) && gone.size() < MAX_GONE) {
        gone.add(row);
      }
    }

    private Cells row() {
      int pick = random.nextInt(domain);
      return Cells.of(
          key,
          random.nextInt(12) == 0 ? null : (Object) (pick - 1L),
          domain > TEXTS.length ? "text " + pick : TEXTS[random.nextInt(TEXTS.length)],
          random.nextInt(3) == 0 && domain > DOUBLES.length
              ? (Double) (double) pick
              : DOUBLES[random.nextInt(DOUBLES.length)],
          payload());
    }
  }

  private @Nullable String payload() {
    return switch (random.nextInt(4)) {
      case 0 -> TEXTS[random.nextInt(TEXTS.length)];
      default -> "p" + payloads++;
    };
  }
}
