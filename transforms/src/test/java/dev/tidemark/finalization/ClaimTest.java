package dev.tidemark.finalization;

import static dev.tidemark.finalization.FinalizationTestUtils.HOUR;
import static dev.tidemark.finalization.FinalizationTestUtils.T0;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.finalization.Claim.Coverage;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ClaimTest {

  private static final Claim CLAIM = Claim.of(T0, T0 + 5 * HOUR);

  @Test
  public void stretchWithinTheClaimIsFinalized() {
    assertThat(CLAIM.coverage(T0, T0 + 5 * HOUR), is(Coverage.FINALIZED));
  }

  @Test
  public void stretchThatEndsAfterTheWatermarkIsNotYet() {
    assertThat(CLAIM.coverage(T0, T0 + 5 * HOUR + 1), is(Coverage.NOT_YET));
    assertThat(CLAIM.coverage(T0 + 9 * HOUR, T0 + 10 * HOUR), is(Coverage.NOT_YET));
  }

  @Test
  public void stretchThatBeginsBeforeTheFactsIsNotCovered() {
    assertThat(CLAIM.coverage(T0 - 1, T0 + HOUR), is(Coverage.NOT_COVERED));
    assertThat(CLAIM.coverage(T0 - 1, T0 + 9 * HOUR), is(Coverage.NOT_COVERED));
  }

  @Test
  public void firstWatermarkByItselfFinalizesNothing() {
    assertThat(Claim.of(T0, T0).coverage(T0 - HOUR, T0), is(Coverage.NOT_COVERED));
    assertThat(Claim.of(T0, T0).coverage(T0, T0 + HOUR), is(Coverage.NOT_YET));
  }

  @Test
  public void tableWithoutAWatermarkIsNotYet() {
    assertThat(Claim.of(null, null).coverage(T0, T0 + HOUR), is(Coverage.NOT_YET));
  }

  @Test
  public void watermarkOfUnknownCoverageCoversNothing() {
    assertThat(Claim.of(null, T0).coverage(T0 - HOUR, T0), is(Coverage.NOT_COVERED));
  }

  @Test
  public void emptyStretchIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> CLAIM.coverage(T0, T0));
  }
}
