package dev.tidemark.doris.emulator;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Something that goes wrong with requests of some kind, a number of times.
 *
 * <p>A fault meets loads at a backend unless it says something else; {@link #on}, {@link #table}
 * and {@link #label} narrow it down, and {@link #skip} and {@link #times} say which of the requests
 * that match it meets.
 *
 * @param table expression for the whole name of the table, {@code .*} for any
 * @param label expression for the whole label, {@code .*} for any
 * @param skip matching requests to let pass before the first
 * @param times requests to meet
 * @param bytes of the body to read first
 * @param text a message, a location or an answer
 * @param polls questions for the state of the label after which what was left open ends
 * @param commits how that ends
 */
public record Fault(
    Kind kind,
    Leg leg,
    Operation operation,
    String table,
    String label,
    int skip,
    int times,
    long bytes,
    Duration delay,
    String text,
    int polls,
    boolean commits) {

  /** What goes wrong. */
  public enum Kind {
    /** The answer comes late. At a frontend, a body that comes meanwhile resets the connection. */
    LATE,
    /** The connection is reset after some bytes of the body; the transaction is rolled back. */
    RESET,
    /** As RESET, but the transaction stays in PREPARE until somebody asked for its state. */
    CRASH,
    /** No {@code 100 Continue}; a body is taken all the same. */
    NO_CONTINUE,
    /** 401 whatever the credentials. */
    UNAUTHORIZED,
    /** A failure while the body is on its way, of which no more is read. */
    EARLY_ANSWER,
    /** The work is done, and the connection reset in place of the answer. */
    LOST_ANSWER,
    /** Committed, but not visible yet. */
    PUBLISH_TIMEOUT,
    /** Another request with the same label and content came first and still runs. */
    LABEL_RACE,
    /** A failure before anything is begun. */
    FAIL,
    /** A failure of a load that was begun. */
    FAIL_LOAD,
    /** The transaction of a commit or abort ran out of time before. */
    EXPIRED,
    /** The work is done, and some other answer sent. */
    ANSWER,
    /** Some other answer is sent, and nothing done. */
    ANSWER_ONLY,
    /** An answer without end is sent, and nothing done. */
    ENDLESS,
    /** The work is done, and the answer sent byte by byte. */
    SLOW,
    /** A frontend sends the client somewhere else. */
    REDIRECT
  }

  /** Who gets the request. */
  public enum Leg {
    FRONTEND,
    BACKEND
  }

  /** What a request is for. */
  public enum Operation {
    LOAD,
    COMMIT,
    ABORT,
    LABEL_STATE,
    SCHEMA,
    BACKENDS,
    ERROR_LOG,
    QUERY,
    PROBE,
    ADMIN
  }

  private static final String ANY = ".*";

  /** Checks the expressions. */
  public Fault {
    Pattern.compile(table);
    Pattern.compile(label);
    if (times < 1 || skip < 0) {
      throw new IllegalArgumentException(
          "Invalid fault: times " + times + " (must be > 0), skip " + skip + " (must be >= 0)");
    }
  }

  /** A fault of a kind that needs no more. */
  public static Fault of(Kind kind) {
    Operation operation = kind == Kind.EXPIRED ? Operation.COMMIT : Operation.LOAD;
    Leg leg = kind == Kind.REDIRECT ? Leg.FRONTEND : Leg.BACKEND;
    return new Fault(kind, leg, operation, ANY, ANY, 0, 1, 0, Duration.ZERO, "", 1, false);
  }

  /** The frontend names a backend late. */
  public static Fault lateRedirect(Duration delay) {
    return of(Kind.LATE).on(Leg.FRONTEND, Operation.LOAD).delayed(delay);
  }

  /** The backend resets the connection when it has read some bytes of the body. */
  public static Fault resetAfter(long bytes) {
    return of(Kind.RESET).after(bytes);
  }

  /**
   * The backend dies when it has read some bytes of the body. The label is in use until its state
   * was asked for some times.
   */
  public static Fault crashAfter(long bytes, int polls) {
    return of(Kind.CRASH).after(bytes).polls(polls);
  }

  /** The backend does not ask for the body. */
  public static Fault noContinue() {
    return of(Kind.NO_CONTINUE);
  }

  /** Credentials are refused. */
  public static Fault unauthorized() {
    return of(Kind.UNAUTHORIZED);
  }

  /** The backend answers with a failure and reads no more than some bytes of the body. */
  public static Fault earlyAnswer(long bytes, String message) {
    return of(Kind.EARLY_ANSWER).after(bytes).text(message);
  }

  /** The load is committed or pre-committed, and the client does not hear of it. */
  public static Fault lostAnswer() {
    return of(Kind.LOST_ANSWER);
  }

  /** The load is committed, and its rows become visible later. */
  public static Fault publishTimeout() {
    return of(Kind.PUBLISH_TIMEOUT);
  }

  /**
   * The same request came before by another way. It ends after its state was asked for some times.
   *
   * @param commits whether it ends well
   */
  public static Fault labelRace(int polls, boolean commits) {
    Fault race = of(Kind.LABEL_RACE).polls(polls);
    return new Fault(
        race.kind,
        race.leg,
        race.operation,
        race.table,
        race.label,
        race.skip,
        race.times,
        race.bytes,
        race.delay,
        race.text,
        race.polls,
        commits);
  }

  /** Too many transactions run in the database. */
  public static Fault busy() {
    return of(Kind.FAIL)
        .text(
            "[ANALYSIS_ERROR]TStatus: errCode = 2, detailMessage = current running txns on db 10001"
                + " is 1000, larger than limit 1000");
  }

  /** The tablets have too many versions, as loads come faster than they are merged. */
  public static Fault tooManyVersions() {
    return of(Kind.FAIL_LOAD)
        .text(
            "[INTERNAL_ERROR]tablet error: [E-235]failed to init rowset builder. version count:"
                + " 2001, exceed limit: 2000, tablet: 10125. Please reduce the frequency of loading"
                + " data or adjust the max_tablet_version_num in be.conf to a larger value.,"
                + " host: 127.0.0.1");
  }

  /** A failure with a message, before anything is begun. */
  public static Fault fail(String message) {
    return of(Kind.FAIL).text(message);
  }

  /** A failure with a message, of a load that was begun. */
  public static Fault failLoad(String message) {
    return of(Kind.FAIL_LOAD).text(message);
  }

  /** A pre-committed transaction is rolled back before its commit. */
  public static Fault expired() {
    return of(Kind.EXPIRED);
  }

  /** The frontend has no backend to name. */
  public static Fault noBackend() {
    return of(Kind.FAIL)
        .on(Leg.FRONTEND, Operation.LOAD)
        .text("No backend load available or no alive backend, policy: cluster|query|load|schedule");
  }

  /** The frontend names some other place. */
  public static Fault redirectTo(String location) {
    return of(Kind.REDIRECT).text(location);
  }

  /** The work is done, and the client gets these bytes, status line and all. */
  public static Fault answer(String raw) {
    return of(Kind.ANSWER).text(raw);
  }

  /** Nothing is done, and the client gets these bytes, status line and all. */
  public static Fault answerOnly(String raw) {
    return of(Kind.ANSWER_ONLY).text(raw);
  }

  /** Nothing is done, and the client gets an answer without end. */
  public static Fault endless() {
    return of(Kind.ENDLESS);
  }

  /** The work is done, and the answer comes byte by byte. */
  public static Fault slow(Duration perByte) {
    return of(Kind.SLOW).delayed(perByte);
  }

  /** The same fault of other requests. */
  public Fault on(Leg newLeg, Operation newOperation) {
    return new Fault(
        kind, newLeg, newOperation, table, label, skip, times, bytes, delay, text, polls, commits);
  }

  /** The same fault of requests for tables whose name matches. */
  public Fault table(String expression) {
    return new Fault(
        kind, leg, operation, expression, label, skip, times, bytes, delay, text, polls, commits);
  }

  /** The same fault of requests with labels that match. */
  public Fault label(String expression) {
    return new Fault(
        kind, leg, operation, table, expression, skip, times, bytes, delay, text, polls, commits);
  }

  /** The same fault, but some requests later. */
  public Fault skip(int requests) {
    return new Fault(
        kind, leg, operation, table, label, requests, times, bytes, delay, text, polls, commits);
  }

  /** The same fault of more requests. */
  public Fault times(int requests) {
    return new Fault(
        kind, leg, operation, table, label, skip, requests, bytes, delay, text, polls, commits);
  }

  /** The same fault after some bytes of the body. */
  public Fault after(long bodyBytes) {
    return new Fault(
        kind, leg, operation, table, label, skip, times, bodyBytes, delay, text, polls, commits);
  }

  /** The same fault with a delay. */
  public Fault delayed(Duration newDelay) {
    return new Fault(
        kind, leg, operation, table, label, skip, times, bytes, newDelay, text, polls, commits);
  }

  /** The same fault with another text. */
  public Fault text(String newText) {
    return new Fault(
        kind, leg, operation, table, label, skip, times, bytes, delay, newText, polls, commits);
  }

  /** The same fault, where what is left open ends after some questions for its state. */
  public Fault polls(int newPolls) {
    return new Fault(
        kind, leg, operation, table, label, skip, times, bytes, delay, text, newPolls, commits);
  }

  /** Whether the work is done, and its answer not sent as it is. */
  boolean changesAnswer() {
    return kind == Kind.LOST_ANSWER || kind == Kind.ANSWER || kind == Kind.SLOW;
  }

  boolean matches(Leg atLeg, Operation of, String ofTable, String ofLabel) {
    return leg == atLeg && operation == of && ofTable.matches(table) && ofLabel.matches(label);
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + " of " + operation + " at " + leg;
  }
}
