package dev.tidemark.action;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.joda.time.Instant;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ActionDispatcherTest {
  private static final RetryDelays AT_ONCE =
      new RetryDelays(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMinutes(1));

  private final BlockingQueue<AdvanceNotice> told = new LinkedBlockingQueue<>();

  private static AdvanceNotice notice(String table, int hour) {
    return AdvanceNotice.builder()
        .setTable(table)
        .setTableUuid(table + "-uuid")
        .setBranch("main")
        .setBefore(Instant.ofEpochMilli(hour - 1))
        .setFinalizedUntil(Instant.ofEpochMilli(hour))
        .setReason("test")
        .build();
  }

  private static void offer(ActionDispatcher dispatcher, AdvanceNotice notice) {
    dispatcher.offer(
        notice,
        () -> {
          throw new AssertionError("not asked for");
        });
  }

  private AdvanceNotice next() throws InterruptedException {
    return told.poll(30, SECONDS);
  }

  @Test
  public void listenerThatHangsHoldsUpNeitherCallersNorOthers() throws Exception {
    CountDownLatch forever = new CountDownLatch(1);
    try (ActionDispatcher dispatcher =
        new ActionDispatcher(
            List.of((notice, table) -> forever.await(), (notice, table) -> told.add(notice)))) {
      offer(dispatcher, notice("db.a", 1));
      offer(dispatcher, notice("db.b", 1));

      assertThat(List.of(next().table(), next().table()), is(List.of("db.a", "db.b")));
      forever.countDown();
    }
  }

  @Test
  public void newerNoticeTakesThePlaceOfOneThatWaits() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    try (ActionDispatcher dispatcher =
        new ActionDispatcher(
            List.of(
                (notice, table) -> {
                  told.add(notice);
                  busy.countDown();
                  free.await();
                }))) {
      offer(dispatcher, notice("db.a", 1));
      busy.await();
      for (int hour = 2; hour <= 4; hour++) {
        offer(dispatcher, notice("db.a", hour));
      }
      free.countDown();
      AdvanceNotice first = next();
      AdvanceNotice second = next();

      assertThat(first.finalizedUntil(), is(Instant.ofEpochMilli(1)));
      assertThat(second.finalizedUntil(), is(Instant.ofEpochMilli(4)));
    }
    assertThat(told.poll(), is(nullValue()));
  }

  @Test
  public void noticeThatStandsForOlderOnesTellsWhereTheOldestBegan() {
    AdvanceNotice merged = notice("db.a", 4).inPlaceOf(notice("db.a", 2));
    AdvanceNotice other =
        notice("db.a", 4).inPlaceOf(notice("db.a", 2).toBuilder().setTableUuid("old").build());

    assertThat(merged.before(), is(Instant.ofEpochMilli(1)));
    assertThat(other.before(), is(Instant.ofEpochMilli(3)));
  }

  @Test
  public void whatFailsIsTriedAgainAndCounted() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    ActionDispatcher dispatcher =
        new ActionDispatcher(
            List.of(
                (notice, table) -> {
                  if (attempts.incrementAndGet() < 4) {
                    throw new IOException("down");
                  }
                  told.add(notice);
                }),
            AT_ONCE);
    offer(dispatcher, notice("db.a", 1));

    assertThat(next(), is(notice("db.a", 1)));
    dispatcher.close();
    assertThat(dispatcher.takeFailures(), is(3L));
    assertThat(dispatcher.takeFailures(), is(0L));
    assertThat(dispatcher.takeUndelivered(), is(0L));
  }

  @Test
  public void closingWaitsForARetryThatIsUnderWay() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    AtomicReference<ActionDispatcher> closed = new AtomicReference<>();
    AtomicReference<Thread> closing = new AtomicReference<>();
    CountDownLatch delivered = new CountDownLatch(1);
    ActionDispatcher dispatcher =
        new ActionDispatcher(
            List.of(
                (notice, table) -> {
                  if (attempts.incrementAndGet() == 1) {
                    throw new IOException("down");
                  }
                  Thread closer = new Thread(() -> closed.get().close());
                  closing.set(closer);
                  closer.start();
                  while (closer.getState() != Thread.State.TIMED_WAITING) {
                    assertThat("closed", closer.getState(), is(not(Thread.State.TERMINATED)));
                    Thread.onSpinWait();
                  }
                  delivered.countDown();
                }),
            AT_ONCE);
    closed.set(dispatcher);
    offer(dispatcher, notice("db.a", 1));

    delivered.await();
    closing.get().join();
    assertThat(attempts.get(), is(2));
    assertThat(dispatcher.takeUndelivered(), is(0L));
  }

  @Test
  public void refusalIsFinal() {
    AtomicInteger attempts = new AtomicInteger();
    ActionDispatcher dispatcher =
        new ActionDispatcher(
            List.of(
                (notice, table) -> {
                  attempts.incrementAndGet();
                  throw new PermanentFailureException("no");
                }),
            AT_ONCE);
    offer(dispatcher, notice("db.a", 1));
    dispatcher.close();

    assertThat(attempts.get(), is(1));
    assertThat(dispatcher.takeUndelivered(), is(1L));
  }

  @Test
  public void deliveryIsGivenUpAfterItsTime() {
    ActionDispatcher dispatcher =
        new ActionDispatcher(
            List.of(
                (notice, table) -> {
                  throw new IOException("down");
                }),
            new RetryDelays(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ZERO));
    offer(dispatcher, notice("db.a", 1));
    dispatcher.close();

    assertThat(dispatcher.takeFailures(), is(1L));
    assertThat(dispatcher.takeUndelivered(), is(1L));
  }

  @Test
  public void errorOfALinkIsAFailureToo() {
    ActionDispatcher dispatcher =
        new ActionDispatcher(
            List.of(
                (notice, table) -> {
                  throw new NoClassDefFoundError("gone");
                }));
    offer(dispatcher, notice("db.a", 1));
    dispatcher.close();

    assertThat(dispatcher.takeFailures(), is(1L));
  }

  @Test
  public void endWaitsForFirstAttemptsAndCountsWhatIsLeft() {
    AtomicInteger attempts = new AtomicInteger();
    ActionDispatcher dispatcher =
        new ActionDispatcher(
            List.of(
                (notice, table) -> {
                  attempts.incrementAndGet();
                  throw new IOException("down");
                }));
    for (int table = 0; table < 100; table++) {
      offer(dispatcher, notice("db.t" + table, 1));
    }
    dispatcher.close();
    offer(dispatcher, notice("db.late", 1));

    assertThat(attempts.get(), is(100));
    assertThat(dispatcher.takeUndelivered(), is(101L));
  }

  @Test
  public void queueIsBounded() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    ActionDispatcher dispatcher =
        new ActionDispatcher(
            List.of(
                (notice, table) -> {
                  free.await();
                  told.add(notice);
                }));
    for (int table = 0; table < Lane.MAX_WAITING + 7; table++) {
      offer(dispatcher, notice("db.t" + table, 1));
    }
    free.countDown();
    for (int table = 0; table < Lane.MAX_WAITING; table++) {
      assertThat(next().table(), is("db.t" + table));
    }
    dispatcher.close();

    assertThat(dispatcher.takeUndelivered(), is(7L));
  }

  @Test
  public void pausesDoubleUpToTheLongest() {
    RetryDelays delays =
        new RetryDelays(Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofHours(1));
    for (int failed = 1; failed < 100; failed++) {
      long most = Math.min(300_000, 1_000L << Math.min(failed - 1, 20));

      long pause = delays.afterMillis(failed);

      assertThat(pause + " of " + most, pause >= most / 2 && pause <= most, is(true));
    }
  }
}
