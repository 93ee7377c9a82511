package dev.tidemark.examples.benchmarks.endtoend;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.is;

import com.google.common.collect.ImmutableMap;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class GrowthTest {
  private static final double ERROR = 1e-9;

  @Test
  public void exponentOfAPowerIsFound() {
    assertThat(
        Growth.exponent(ImmutableMap.of(10, 3.0, 1_000, 30.0, 100_000, 300.0)),
        closeTo(0.5, ERROR));
  }

  @Test
  public void equalCostsAreFlat() {
    assertThat(Growth.exponent(ImmutableMap.of(1, 7.0, 2, 7.0, 4, 7.0)), closeTo(0, ERROR));
  }

  @Test
  public void oneCostTellsNoGrowth() {
    assertThat(Double.isNaN(Growth.exponent(ImmutableMap.of(2, 7.0))), is(true));
  }
}
