package dev.tidemark.streamload;

import dev.tidemark.doris.emulator.DorisEmulator;
import dev.tidemark.doris.emulator.Fault;
import dev.tidemark.streamload.ArrowRows.Entry;
import java.util.List;
import java.util.function.Supplier;

/** Uses all of the client, well and badly, and prints what fails. Run by {@link LogsTest}. */
final class TalkativeProgram {
  private TalkativeProgram() {}

  public static void main(String[] arguments) {
    ManualClock clock = new ManualClock();
    try (DorisEmulator emulator =
            DorisEmulator.builder()
                .user(Fixtures.USER)
                .password(Fixtures.PASSWORD)
                .clock(clock)
                .start();
        StreamLoadClient client = StreamLoadClient.open(Fixtures.cluster(emulator.frontend()))) {
      emulator.createTable(ArrowRows.DDL.formatted("db", "t"));
      attempt(() -> client.schema("db", "t"));
      attempt(() -> client.schema("db", "absent"));
      LoadProtocol labelMode =
          LoadProtocol.of(client, RetryPolicy.defaults(), LoadListener.none(), clock, clock);
      emulator.inject(Fault.resetAfter(10));
      emulator.inject(Fault.busy());
      emulator.inject(Fault.lostAnswer().skip(2));
      attempt(() -> labelMode.load(request("first")));
      attempt(() -> labelMode.load(request("first")));
      attempt(() -> labelMode.load(request("second")));
      emulator.inject(Fault.unauthorized().on(Fault.Leg.FRONTEND, Fault.Operation.LOAD));
      attempt(() -> labelMode.load(request("third")));
      emulator.inject(
          Fault.redirectTo(
              "http://%s:%s@%s/off".formatted(Fixtures.USER, Fixtures.PASSWORD, "127.0.0.1:1")));
      attempt(() -> labelMode.load(request("fourth")));
      TwoPhaseProtocol twoPhases =
          TwoPhaseProtocol.of(
              client,
              Labels.of("talkative"),
              RetryPolicy.defaults(),
              LoadListener.none(),
              clock,
              clock);
      emulator.inject(Fault.lostAnswer());
      attempt(() -> twoPhases.preCommit(request("fifth")));
      emulator.inject(Fault.expired());
      attempt(
          () -> {
            PreCommitted transaction = twoPhases.preCommit(request("sixth"));
            twoPhases.commit(transaction);
            return transaction;
          });
    }
  }

  private static LoadRequest request(String label) {
    byte[] body = ArrowRows.stream(List.of(new Entry(1, 2L)));
    return LoadRequest.of("db", "t", label, List.of("id", "v"), List.of(body));
  }

  private static void attempt(Supplier<?> action) {
    try {
      System.out.println("came to " + action.get());
    } catch (LoadException e) {
      System.out.println("failed by " + NoSecrets.printed(e));
    }
  }
}
