package dev.tidemark.upsert;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ArrivalClockTest {
  @Test
  public void changesThatComeSlowlyHaveTheirOwnTime() {
    SteppedClock.set(1);
    ArrivalClock clock = new ArrivalClock(new SteppedClock(1));
    for (int i = 1; i <= 100; i++) {
      assertThat(clock.next(), is((long) i));
    }
  }

  @Test
  public void clockIsLookedAtForOneInSixteenWhereItStands() {
    SteppedClock.set(5);
    ArrivalClock clock = new ArrivalClock(new SteppedClock(0));
    for (int i = 0; i < 100; i++) {
      assertThat(clock.next(), is(5L));
    }
    SteppedClock.set(6);
    int old = 0;
    while (clock.next() == 5) {
      old++;
    }
    // Looks are at changes 1, 2, 4, 8, 16 and then at each sixteenth: at the 96th, and at the
    // 112th.
    assertThat(old, is(11));
  }

  @Test
  public void clockIsLookedAtForEachChangeAgainOnceItMoves() {
    SteppedClock.set(5);
    ArrivalClock clock = new ArrivalClock(new SteppedClock(0));
    for (int i = 0; i <= ArrivalClock.MOST_SKIPPED; i++) {
      clock.next();
    }
    SteppedClock.set(6);
    for (int i = 0; i < ArrivalClock.MOST_SKIPPED; i++) {
      assertThat(clock.next(), is(5L));
    }
    assertThat(clock.next(), is(6L));
    SteppedClock.set(7);
    assertThat(clock.next(), is(7L));
  }
}
