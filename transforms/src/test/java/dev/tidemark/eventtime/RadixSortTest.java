package dev.tidemark.eventtime;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.util.Arrays;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class RadixSortTest {
  private static final int ROUNDS = 200;
  private static final int MAX_SIZE = 10_000;

  private final Random random = new Random(17);

  @Test
  public void timesOfAnySpanComeOutInOrder() {
    for (int round = 0; round < ROUNDS; round++) {
      long span = 1L << random.nextInt(54);
      long base = random.nextInt() * 1_000L;
      assertSortsLikeArrays(i -> base + (long) (random.nextDouble() * span));
    }
  }

  @Test
  public void extremesOfTheRangeComeOutInOrder() {
    for (int round = 0; round < ROUNDS; round++) {
      assertSortsLikeArrays(
          i -> random.nextBoolean() ? EventTimeSketch.MIN_MILLIS : EventTimeSketch.MAX_MILLIS - i);
    }
  }

  @Test
  public void orderedAndEqualTimesStayAsTheyAre() {
    assertSortsLikeArrays(i -> i);
    assertSortsLikeArrays(i -> 42);
  }

  @Test
  public void descendingTimesAreTurned() {
    assertSortsLikeArrays(i -> -i);
  }

  private void assertSortsLikeArrays(LongUnaryOperator value) {
    RadixSort sorter = new RadixSort();
    for (int batch = 0; batch < 3; batch++) {
      int size = random.nextInt(MAX_SIZE) + 1;
      long[] values = new long[size + 1];
      Arrays.setAll(values, i -> value.applyAsLong(i));
      long beyond = values[size];
      long[] expected = Arrays.copyOf(values, size);
      Arrays.sort(expected);

      sorter.sort(values, size);

      assertThat(Arrays.copyOf(values, size), equalTo(expected));
      assertThat(values[size], equalTo(beyond));
    }
  }
}
