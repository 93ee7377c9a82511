package dev.tidemark.streamload;

import com.google.common.collect.ImmutableSet;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Headers of a load: which are the protocol's own, and how columns are written into one. */
final class Headers {
  static final String TIMEOUT = "timeout";

  /** Set by the protocol, of the transport, or such as would change how the body is read. */
  private static final ImmutableSet<String> RESERVED =
      ImmutableSet.of(
          "authorization",
          "columns",
          "compress_type",
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "format",
          "group_commit",
          "hidden_columns",
          "host",
          "label",
          "sql",
          "te",
          "trailer",
          "transfer-encoding",
          "two_phase_commit",
          "txn_id",
          "txn_operation",
          "upgrade");

  private Headers() {}

  /** Whether users may not set this header. */
  static boolean isReserved(String name) {
    return RESERVED.contains(name.toLowerCase(Locale.ROOT));
  }

  static void checkUser(String name, String value) {
    if (isReserved(name)) {
      throw new IllegalArgumentException(
          "Cannot set header %s: the load sets it itself. Leave it out.".formatted(name));
    }
    if (name.isEmpty() || !name.chars().allMatch(Headers::isTokenCharacter)) {
      throw new IllegalArgumentException(
          "Invalid header name: '%s' (must be letters, digits, '-', '_' or '.')"
              .formatted(printable(name)));
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "Invalid value of header %s: it has a line break or control character in it"
              .formatted(name));
    }
  }

  private static boolean isTokenCharacter(int c) {
    return c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.');
  }

  static void checkColumn(String database, String table, String column) {
    boolean writable =
        !column.isEmpty()
            && column.indexOf('`') < 0
            && column.chars().noneMatch(Character::isISOControl);
    if (!writable) {
      throw new IllegalArgumentException(
          "Cannot load column '%s' of table %s.%s: a back-tick, control character or empty name cannot be written into the columns header. Rename the column."
              .formatted(printable(column), database, table));
    }
  }

  /** The columns in their order, quoted as released connectors do. */
  static String columns(List<String> columns) {
    StringJoiner joiner = new StringJoiner(",");
    columns.forEach(column -> joiner.add('`' + column + '`'));
    return joiner.toString();
  }

  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
