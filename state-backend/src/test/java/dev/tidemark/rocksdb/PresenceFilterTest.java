package dev.tidemark.rocksdb;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;

import java.util.SplittableRandom;
import org.junit.Test;

public final class PresenceFilterTest {
  private static final int KEYS = 20_000;

  private final MemoryMeter meter = new MemoryMeter();

  @Test
  public void everyKeyThatWasAddedMayBeThere() {
    PresenceFilter filter = filled(0);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < KEYS; i++) {
      assertThat(filter.mayContain(random.nextLong()), is(true));
    }
  }

  @Test
  public void fewOtherKeysMayBeThere() {
    assertThat(falseOnes(filled(KEYS)), lessThan(KEYS * 3 / 100));
  }

  @Test
  public void filterThatGrewIsNotMuchWorse() {
    assertThat(falseOnes(filled(0)), lessThan(KEYS * 12 / 100));
  }

  @Test
  public void memoryIsCountedUntilItIsReleased() {
    PresenceFilter filter = filled(KEYS);
    assertThat(meter.bytes, lessThan(KEYS * 14L / 10));
    filter.release();
    assertThat(meter.bytes, is(0L));
    assertThat(meter.filterBytes, is(0L));
  }

  private PresenceFilter filled(int expected) {
    PresenceFilter filter = new PresenceFilter(meter, expected);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < KEYS; i++) {
      filter.add(random.nextLong());
    }
    return filter;
  }

  private static int falseOnes(PresenceFilter filter) {
    SplittableRandom others = new SplittableRandom(2);
    int count = 0;
    for (int i = 0; i < KEYS; i++) {
      count += filter.mayContain(others.nextLong()) ? 1 : 0;
    }
    return count;
  }
}
