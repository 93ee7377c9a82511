package dev.tidemark.streamload;

import com.google.common.collect.ImmutableList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What Doris's messages mean. Their phrases are looked for anywhere in the text, since versions
 * differ in what they put around them; the more specific come first.
 */
final class Messages {
  private static final ImmutableList<String> SLOW =
      ImmutableList.of(
          "too many versions",
          "current running txns on db",
          "larger than limit",
          "tablet writer write failed",
          "mem_limit_exceeded",
          "memory limit exceeded",
          "too many requests",
          "too many running",
          "is busy",
          "too busy");

  /** The code for too many versions, and not a part of a name. */
  private static final Pattern TOO_MANY_VERSIONS =
      Pattern.compile("(?:^|[^\\w-])-235\\b|\\be-235\\b");

  private static final ImmutableList<String> REJECT =
      ImmutableList.of("data_quality_error", "too many filtered rows");

  /** In messages that otherwise look like a refused request. */
  private static final ImmutableList<String> PASSING =
      ImmutableList.of(
          "write lock timeout",
          "not_master",
          "have not get fe master heartbeat",
          "no_backend_load_available",
          "no available backend",
          "receive body don't equal with body bytes");

  /** A backend that did not hear the frontend's answer to a commit says that the load failed. */
  private static final ImmutableList<String> UNCERTAIN =
      ImmutableList.of(
          "failed to call frontend service",
          "timeout",
          "timed out",
          "thrift_rpc_error",
          "network_error");

  private static final ImmutableList<String> DENIED =
      ImmutableList.of(
          "no valid basic authorization",
          "access denied",
          "not_authorized",
          "unauthorized",
          "privilege",
          "need to login");
  private static final ImmutableList<String> FATAL =
      ImmutableList.of(
          "analysis_error",
          "invalid_argument",
          "not_implemented",
          "unknown column",
          "unknown table",
          "unknown database",
          "does not exist",
          "label format error",
          "column name mismatch",
          "not support",
          "unsupported",
          "has no default value",
          "need to specify the sequence column",
          "exceed be's conf",
          "no 100-continue header",
          "can't be set at the same time",
          "content_length is empty",
          "all partitions have no load data",
          "convert txn_id",
          "no transaction");

  private static final Pattern LABEL_TRANSACTION =
      Pattern.compile("has already been used, relate to txn \\[(\\d+)\\]");

  private static final Pattern TRANSACTION =
      Pattern.compile(
          "(?i)transaction \\[(\\d+)\\] (?:is already (committed|visible|aborted)|(not found)|is (prepare)\\b)");

  private static final Pattern LABEL_NOT_FOUND =
      Pattern.compile("(?i)(?:label|transaction) .{0,200}not found");
  private static final Pattern IN_PREPARE = Pattern.compile("(?i)is prepare, not pre-committed");

  private static final Pattern COLUMN =
      Pattern.compile("(?i)column(?:_name)?[(\\[]\\s*([^)\\]]{1,64})[)\\]]");

  private Messages() {}

  /** What to do about a load or request that failed with this message. */
  static Verdict verdict(String message) {
    String text = message.toLowerCase(Locale.ROOT);
    if (has(text, REJECT)) {
      return Verdict.REJECT;
    }
    if (has(text, SLOW) || TOO_MANY_VERSIONS.matcher(text).find()) {
      return Verdict.SLOW;
    }
    if (has(text, PASSING)) {
      return Verdict.RETRY;
    }
    if (has(text, UNCERTAIN)) {
      return Verdict.SETTLE;
    }
    return has(text, DENIED) || has(text, FATAL) ? Verdict.FATAL : Verdict.RETRY;
  }

  /** Whether the message says that user or password are wrong, or a right is missing. */
  static boolean denies(String message) {
    return has(message.toLowerCase(Locale.ROOT), DENIED);
  }

  private static boolean has(String text, List<String> phrases) {
    return phrases.stream().anyMatch(text::contains);
  }

  /** The transaction that holds a label, as an answer to a load tells it, or null. */
  static @Nullable Long transactionOfLabel(String message) {
    Matcher matcher = LABEL_TRANSACTION.matcher(message);
    return matcher.find() ? number(matcher.group(1)) : null;
  }

  /**
   * What a message to a commit or abort says of the transaction. One about another transaction says
   * nothing.
   *
   * @param id the transaction asked about, or null if it was named by its label
   */
  static TransactionAnswer.Outcome transaction(String message, @Nullable Long id) {
    Matcher matcher = TRANSACTION.matcher(message);
    if (matcher.find()) {
      if (id != null && !id.equals(number(matcher.group(1)))) {
        return TransactionAnswer.Outcome.FAILED;
      }
      if (matcher.group(2) != null) {
        return matcher.group(2).equalsIgnoreCase("aborted")
            ? TransactionAnswer.Outcome.ALREADY_ABORTED
            : TransactionAnswer.Outcome.ALREADY_COMMITTED;
      }
      return matcher.group(3) != null
          ? TransactionAnswer.Outcome.NOT_FOUND
          : TransactionAnswer.Outcome.NOT_READY;
    }
    if (IN_PREPARE.matcher(message).find()) {
      return TransactionAnswer.Outcome.NOT_READY;
    }
    return id == null && LABEL_NOT_FOUND.matcher(message).find()
        ? TransactionAnswer.Outcome.NOT_FOUND
        : TransactionAnswer.Outcome.FAILED;
  }

  private static @Nullable Long number(String digits) {
    return digits.length() > 18 ? null : Long.valueOf(digits);
  }

  /** The columns that reasons for filtered rows name, without values. */
  static Set<String> columnsIn(Iterable<String> reasons) {
    Set<String> columns = new LinkedHashSet<>();
    for (String reason : reasons) {
      int values = reason.indexOf("src line");
      Matcher matcher = COLUMN.matcher(values < 0 ? reason : reason.substring(0, values));
      while (columns.size() < 10 && matcher.find()) {
        columns.add(matcher.group(1));
      }
    }
    return columns;
  }
}
