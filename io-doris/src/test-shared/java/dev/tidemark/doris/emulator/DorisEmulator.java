package dev.tidemark.doris.emulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A frontend and backends that speak the stream load protocol of Apache Doris on loopback, and keep
 * the tables in memory. What it does not model is listed in {@code docs/doris-emulator.md}.
 *
 * <pre>{@code
 * try (DorisEmulator doris = DorisEmulator.builder().start()) {
 *   doris.createTable("CREATE TABLE shop.orders (id BIGINT NOT NULL, price INT) UNIQUE KEY(id)");
 *   doris.inject(Fault.lostAnswer().times(2));
 *   // Load into doris.frontend() as the user "root" with an empty password.
 *   doris.rows("shop", "orders");
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class DorisEmulator implements AutoCloseable {

  private final Cluster cluster;
  private final Faults faults;
  private final RequestLog log;
  private final LoopbackServer frontend;
  private final List<LoopbackServer> backends;

  private DorisEmulator(
      Cluster cluster,
      Faults faults,
      RequestLog log,
      LoopbackServer frontend,
      List<LoopbackServer> backends) {
    this.cluster = cluster;
    this.faults = faults;
    this.log = log;
    this.frontend = frontend;
    this.backends = backends;
  }

  /** How to start one; without settings as a current Doris with its defaults on free ports. */
  public static Builder builder() {
    return new Builder();
  }

  /** The address of the frontend, {@code 127.0.0.1:port}. */
  public String frontend() {
    return frontend.address();
  }

  /** The addresses of the backends. */
  public List<String> backends() {
    return backends.stream().map(LoopbackServer::address).toList();
  }

  /** Creates a table, and its database if need be, by a {@code CREATE TABLE} statement. */
  public void createTable(String ddl) {
    new Statements(cluster).run(null, ddl);
  }

  /** Removes all rows of a table; labels stay. */
  public void truncate(String database, String table) {
    cluster.truncate(database, table);
  }

  /**
   * The visible rows of a table by the names of its columns; of a UNIQUE table in the order of its
   * keys, otherwise in that of the loads.
   *
   * <p>Integers are Long (LARGEINT BigInteger), decimals BigDecimal, dates LocalDate, times
   * LocalDateTime, texts String (ByteBuffer if they are not UTF-8), arrays List, maps and structs
   * Map.
   */
  public List<Map<String, @Nullable Object>> rows(String database, String table) {
    return cluster.rows(database, table);
  }

  /** All transactions that are not forgotten, in the order of their ids. */
  public List<TransactionInfo> transactions() {
    return cluster.transactions();
  }

  /** The body of a load, without the framing of chunks; the builder has to ask to keep bodies. */
  public byte[] body(long txnId) {
    return cluster.bodyOf(txnId);
  }

  /** The requests that came, in order. */
  public List<RequestInfo> requests() {
    return log.requests();
  }

  /** What clients did that a real Doris would corrupt data or crash on without saying so. */
  public List<String> violations() {
    return cluster.violations();
  }

  /** Lets something go wrong. */
  public void inject(Fault fault) {
    faults.add(fault);
  }

  /** The faults that have not met all their requests. */
  public List<Fault> pendingFaults() {
    return faults.pending();
  }

  /** Forgets the faults that are still to come. */
  public void clearFaults() {
    faults.clear();
  }

  @Override
  public void close() {
    frontend.close();
    backends.forEach(LoopbackServer::close);
  }

  /** Settings of an emulator. */
  public static final class Builder {

    private int fePort;
    private int bePort;
    private int backendCount = 1;
    private String user = "root";
    private String password = "";
    private Clock clock = Clock.systemUTC();
    private ColumnMatching matching = ColumnMatching.STRICT;
    private DatetimeBehaviour datetimes = DatetimeBehaviour.WALL_CLOCK;
    private boolean jsonOverArrow;
    private EqualKeys equalKeys = EqualKeys.LAST_WINS;
    private Duration precommitLifetime = Duration.ofHours(1);
    private Duration labelRetention = Duration.ofDays(3);
    private Duration publishDelay = Duration.ZERO;
    private long maxBodyBytes = 1L << 30;
    private int maxRunningTransactions = 1000;
    private long firstTransactionId = 1001;
    private boolean dropLabelOfChunked;
    private boolean twoPhaseUnsupported;
    private boolean discardRows;
    private boolean keepBodies;

    private Builder() {}

    /** The port of the frontend; 0, the default, takes a free one. */
    public Builder fePort(int port) {
      fePort = port;
      return this;
    }

    /** The port of the first backend, which further ones count up from; 0 takes free ones. */
    public Builder bePort(int port) {
      bePort = port;
      return this;
    }

    /** How many backends there are; 1 by default. */
    public Builder backendCount(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("Invalid backend count: " + count + " (must be > 0)");
      }
      backendCount = count;
      return this;
    }

    /** The only user, {@code root} by default. */
    public Builder user(String name) {
      user = name;
      return this;
    }

    /** The user's password, empty by default. */
    public Builder password(String secret) {
      password = secret;
      return this;
    }

    /** The time by which pre-commits expire and labels are forgotten. */
    public Builder clock(Clock newClock) {
      clock = newClock;
      return this;
    }

    /** How columns of Arrow bodies are found. */
    public Builder columnMatching(ColumnMatching newMatching) {
      matching = newMatching;
      return this;
    }

    /** How Arrow timestamps are read. */
    public Builder datetimeBehaviour(DatetimeBehaviour behaviour) {
      datetimes = behaviour;
      return this;
    }

    /** Whether JSON and VARIANT columns take Arrow texts, as only recent versions do. */
    public Builder jsonOverArrow(boolean allowed) {
      jsonOverArrow = allowed;
      return this;
    }

    /** What becomes of equal keys in one load. */
    public Builder equalKeys(EqualKeys newEqualKeys) {
      equalKeys = newEqualKeys;
      return this;
    }

    /** How long a pre-commit waits for its commit; an hour by default. */
    public Builder precommitLifetime(Duration lifetime) {
      precommitLifetime = lifetime;
      return this;
    }

    /** How long finished labels are known; three days by default. */
    public Builder labelRetention(Duration retention) {
      labelRetention = retention;
      return this;
    }

    /** How long rows are invisible after a publish timeout; until the next request by default. */
    public Builder publishDelay(Duration delay) {
      publishDelay = delay;
      return this;
    }

    /** The longest body; 1 GiB by default, where Doris has 10 GiB. */
    public Builder maxBodyBytes(long bytes) {
      if (bytes < 1 || bytes > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException(
            "Invalid max body bytes: " + bytes + " (must be > 0 and < 2 GiB)");
      }
      maxBodyBytes = bytes;
      return this;
    }

    /** How many transactions of a database may be undecided; 1000 by default. */
    public Builder maxRunningTransactions(int count) {
      maxRunningTransactions = count;
      return this;
    }

    /** The id of the first transaction, from which they count up; 1001 by default. */
    public Builder firstTransactionId(long id) {
      firstTransactionId = id;
      return this;
    }

    /** Whether chunked loads without {@code group_commit: off_mode} lose their label. */
    public Builder dropLabelOfChunked(boolean drops) {
      dropLabelOfChunked = drops;
      return this;
    }

    /** Whether two-phase commits into merge-on-write tables fail, as in the cloud mode of Doris. */
    public Builder twoPhaseUnsupported(boolean unsupported) {
      twoPhaseUnsupported = unsupported;
      return this;
    }

    /** Whether rows are only counted, and tables stay empty, for benchmarks of clients. */
    public Builder discardRows(boolean discards) {
      discardRows = discards;
      return this;
    }

    /** Whether bodies are kept for {@link DorisEmulator#body}. */
    public Builder keepBodies(boolean keeps) {
      keepBodies = keeps;
      return this;
    }

    /** Starts the emulator. */
    public DorisEmulator start() {
      Settings settings =
          new Settings(
              user,
              password,
              clock,
              new ArrowRules(matching, datetimes, jsonOverArrow),
              equalKeys,
              precommitLifetime,
              labelRetention,
              publishDelay,
              maxBodyBytes,
              maxRunningTransactions,
              firstTransactionId,
              dropLabelOfChunked,
              twoPhaseUnsupported,
              discardRows,
              keepBodies);
      Cluster cluster = new Cluster(settings);
      Faults faults = new Faults();
      RequestLog log = new RequestLog();
      ErrorLogs errorLogs = new ErrorLogs();
      List<LoopbackServer> backends = new ArrayList<>();
      try {
        for (int i = 0; i < backendCount; i++) {
          backends.add(
              LoopbackServer.start(
                  "be" + i,
                  bePort == 0 ? 0 : bePort + i,
                  new Backend(i, settings, cluster, faults, log, errorLogs)));
        }
        List<String> addresses = backends.stream().map(LoopbackServer::address).toList();
        LoopbackServer frontend =
            LoopbackServer.start(
                "fe", fePort, new Frontend(settings, cluster, faults, log, () -> addresses));
        return new DorisEmulator(cluster, faults, log, frontend, List.copyOf(backends));
      } catch (IOException e) {
        backends.forEach(LoopbackServer::close);
        throw new UncheckedIOException(
            "Cannot start the emulator: a port is taken. Choose others, or 0 for free ones", e);
      }
    }
  }
}
