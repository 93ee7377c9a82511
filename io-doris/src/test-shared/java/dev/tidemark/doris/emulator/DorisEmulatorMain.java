package dev.tidemark.doris.emulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Runs an emulator until the process is stopped. */
public final class DorisEmulatorMain {

  private static final String USAGE =
      """
      Usage: java -jar tidemark-io-doris-VERSION-emulator.jar [options]
        --fe-port PORT              port of the frontend, 8030 by default; 0 takes a free one
        --be-port PORT              port of the first backend, 8040 by default
        --backends COUNT            how many backends, 1 by default
        --user NAME                 the only user, root by default
        --password TEXT             its password, empty by default; better in DORIS_PASSWORD
        --columns strict|legacy     how columns of Arrow bodies are found
        --datetimes wall-clock|legacy-plus-8
        --precommit-seconds COUNT   how long a pre-commit waits, 3600 by default
        --label-seconds COUNT       how long labels are known, 259200 by default
        --json-over-arrow           JSON columns take Arrow texts
        --discard-rows              count rows, and keep none
        --refuse-equal-keys         refuse two rows of one key in a load
        --ddl STATEMENT             create a table; any number of times
      """;

  private DorisEmulatorMain() {}

  /** Starts the emulator, says where it is, and waits. */
  public static void main(String[] args) throws InterruptedException {
    DorisEmulator.Builder builder = DorisEmulator.builder().fePort(8030).bePort(8040);
    String password = System.getenv("DORIS_PASSWORD");
    if (password != null) {
      builder.password(password);
    }
    List<String> statements;
    try {
      statements = new Arguments(args).apply(builder);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n" + USAGE);
      System.exit(2);
      return;
    }
    try (DorisEmulator emulator = builder.start()) {
      statements.forEach(emulator::createTable);
      print("frontend " + emulator.frontend());
      print("backends " + String.join(",", emulator.backends()));
      new CountDownLatch(1).await();
    }
  }

  private static void print(String text) {
    System.out.println(text);
  }

  /** The arguments, one after the other. */
  private static final class Arguments {

    private final String[] args;
    private int position;

    Arguments(String[] args) {
      this.args = args;
    }

    /** Sets what they say, and returns the statements to run. */
    List<String> apply(DorisEmulator.Builder builder) {
      List<String> statements = new ArrayList<>();
      while (position < args.length) {
        String name = args[position++];
        switch (name) {
          case "--fe-port" -> builder.fePort(number());
          case "--be-port" -> builder.bePort(number());
          case "--backends" -> builder.backendCount(number());
          case "--user" -> builder.user(value());
          case "--password" -> builder.password(value());
          case "--columns" ->
              builder.columnMatching(
                  choice("strict", "legacy") ? ColumnMatching.STRICT : ColumnMatching.LEGACY);
          case "--datetimes" ->
              builder.datetimeBehaviour(
                  choice("wall-clock", "legacy-plus-8")
                      ? DatetimeBehaviour.WALL_CLOCK
                      : DatetimeBehaviour.LEGACY_PLUS_8);
          case "--precommit-seconds" -> builder.precommitLifetime(Duration.ofSeconds(number()));
          case "--label-seconds" -> builder.labelRetention(Duration.ofSeconds(number()));
          case "--json-over-arrow" -> builder.jsonOverArrow(true);
          case "--discard-rows" -> builder.discardRows(true);
          case "--refuse-equal-keys" -> builder.equalKeys(EqualKeys.REFUSE);
          case "--help" -> throw new IllegalArgumentException("Help");
          case "--ddl" -> statements.add(value());
          default -> throw new IllegalArgumentException("Unknown option: " + name);
        }
      }
      return statements;
    }

    private String value() {
      if (position == args.length) {
        throw new IllegalArgumentException("Missing value of option " + args[position - 1]);
      }
      return args[position++];
    }

    private int number() {
      String text = value();
      try {
        return Integer.parseInt(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("Invalid number: " + text, e);
      }
    }

    /** Whether it is the first of two values. */
    private boolean choice(String first, String second) {
      String text = value();
      if (!text.equals(first) && !text.equals(second)) {
        throw new IllegalArgumentException(
            "Invalid value: " + text + " (must be " + first + " or " + second + ")");
      }
      return text.equals(first);
    }
  }
}
