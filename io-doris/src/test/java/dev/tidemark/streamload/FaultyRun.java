package dev.tidemark.streamload;

import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.doris.emulator.TransactionInfo;
import dev.tidemark.doris.emulator.TransactionState;
import dev.tidemark.streamload.ArrowRows.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A stream of changes loaded as a runner would have it: bundles fail and are tried again, state is
 * lost back to the last checkpoint and its changes come again in other groups.
 */
final class FaultyRun implements AutoCloseable {
  private static final int CHANGES = 60;
  private static final int KEYS = 15;
  private static final int MAX_TRIES = 60;

  private final Random random;
  private final String context;
  private final ManualClock clock = new ManualClock();
  private final DorisEmulator emulator;
  private final StreamLoadClient client;
  private final Labels labels = Labels.of("faults");
  private final RetryPolicy policy;
  private final List<Entry> changes = new ArrayList<>();

  FaultyRun(Random random, String context) {
    this.random = random;
    this.context = context;
    emulator =
        DorisEmulator.builder()
            .user(Fixtures.USER)
            .password(Fixtures.PASSWORD)
            .backendCount(2)
            .clock(clock)
            .start();
    emulator.createTable(ArrowRows.DDL.formatted("db", "t"));
    client =
        StreamLoadClient.open(
            DorisCluster.of(List.of(emulator.frontend()), Fixtures.USER, Fixtures.PASSWORD)
                .withLoadTimeout(Duration.ofSeconds(1))
                .withRequestTimeout(Duration.ofSeconds(2)));
    policy = RetryPolicy.defaults().withMaxAttempts(1 + random.nextInt(4));
    for (long i = 0; i < CHANGES; i++) {
      changes.add(new Entry(random.nextInt(KEYS), i));
    }
  }

  DorisEmulator emulator() {
    return emulator;
  }

  String context() {
    return context;
  }

  private LoadRequest request(String label, int from, int to) {
    return LoadRequest.of("db", "t", label, List.of("id", "v"), List.of(body(from, to)));
  }

  private byte[] body(int from, int to) {
    return ArrowRows.stream(changes.subList(from, to));
  }

  /** Tries until it succeeds, as a runner does with a bundle; permanent faults pass here too. */
  private <T> T bundle(Supplier<T> attempt) {
    for (int tries = 1; ; tries++) {
      try {
        return attempt.get();
      } catch (LostTransactionException e) {
        throw e;
      } catch (LoadException e) {
        boolean passing = !e.permanent() || e.kind() == LoadException.Kind.UNAUTHORIZED;
        if (!passing || tries == MAX_TRIES) {
          throw new AssertionError(context, e);
        }
      }
    }
  }

  /** Loads all changes in label mode; loads are repeated now and then. */
  void labelMode() {
    LoadProtocol protocol = LoadProtocol.of(client, policy, LoadListener.none(), clock, clock);
    List<LoadRequest> done = new ArrayList<>();
    int position = 0;
    while (position < CHANGES) {
      int end = Math.min(CHANGES, position + 1 + random.nextInt(8));
      LoadRequest request = request("x", position, end);
      String digest = Labels.digest(request.columns(), request.headers(), request.body());
      LoadRequest labelled =
          request(labels.forContent("db", "t", 0, 0, done.size() + 1, digest), position, end);
      bundle(() -> protocol.load(labelled));
      done.add(labelled);
      if (random.nextInt(3) == 0) {
        LoadRequest again = done.get(random.nextInt(done.size()));
        bundle(() -> protocol.load(again));
      }
      position = end;
    }
  }

  /** Loads all changes in two phases, with checkpoints and crashes between. */
  void twoPhases() {
    TwoPhaseProtocol protocol =
        TwoPhaseProtocol.of(client, labels, policy, LoadListener.none(), clock, clock);
    long epoch = bundle(() -> protocol.startEpoch("db", "t", 0));
    List<Pending> pending = new ArrayList<>();
    Place checkpoint = new Place(0, 1);
    Place now = checkpoint;
    while (now.position < CHANGES || !pending.isEmpty()) {
      if (now.position == CHANGES || random.nextInt(4) == 0) {
        checkpoint = now;
        now = commitAll(protocol, pending, now);
        // What was lost is loaded again from before its pre-commit.
        checkpoint = now;
      } else if (random.nextInt(5) == 0) {
        now = checkpoint;
        pending.clear();
        if (random.nextBoolean()) {
          long from = now.sequence;
          bundle(() -> protocol.abortLeftOvers("db", "t", epoch, 0, from));
        }
      } else {
        int end = Math.min(CHANGES, now.position + 1 + random.nextInt(8));
        String label = labels.forSequence("db", "t", epoch, 0, now.sequence);
        LoadRequest request = request(label, now.position, end);
        pending.add(new Pending(now, bundle(() -> protocol.preCommit(request))));
        now = new Place(end, now.sequence + 1);
      }
    }
    long from = now.sequence;
    bundle(() -> protocol.abortLeftOvers("db", "t", epoch, 0, from));
  }

  /** Where a run is: changes loaded, and the next sequence. */
  private record Place(int position, long sequence) {}

  private record Pending(Place before, PreCommitted transaction) {}

  /** The place to go on from: where it was, or before the first transaction that was lost. */
  private Place commitAll(TwoPhaseProtocol protocol, List<Pending> pending, Place now) {
    for (Pending next : pending) {
      try {
        bundle(
            () -> {
              protocol.commit(next.transaction);
              return true;
            });
        if (random.nextInt(4) == 0) {
          protocolCommitsAgain(protocol, next.transaction);
        }
      } catch (LostTransactionException e) {
        pending.clear();
        return next.before;
      }
    }
    pending.clear();
    return now;
  }

  private void protocolCommitsAgain(TwoPhaseProtocol protocol, PreCommitted transaction) {
    bundle(
        () -> {
          protocol.commit(transaction);
          return true;
        });
  }

  List<Map<String, Object>> table() {
    // Time passes, so that what is committed becomes visible.
    clock.sleep(1000);
    return List.copyOf(emulator.rows("db", "t"));
  }

  List<Map<String, Object>> expectedTable() {
    return ArrowRows.table(changes);
  }

  List<String> labelsCommittedTwice() {
    Set<String> committed = new HashSet<>();
    return emulator.transactions().stream()
        .filter(transaction -> transaction.state().decided())
        .filter(transaction -> transaction.state() != TransactionState.ABORTED)
        .map(TransactionInfo::label)
        .filter(label -> !committed.add(label))
        .toList();
  }

  List<TransactionInfo> openTransactions() {
    return emulator.transactions().stream()
        .filter(transaction -> !transaction.state().decided())
        .toList();
  }

  int faultsMet() {
    return (int) emulator.requests().stream().filter(request -> request.fault() != null).count();
  }

  @Override
  public void close() {
    client.close();
    emulator.close();
  }
}
