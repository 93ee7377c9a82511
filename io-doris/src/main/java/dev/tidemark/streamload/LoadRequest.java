package dev.tidemark.streamload;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;

/**
 * One stream load: a body of Arrow IPC streams, the columns it holds in their order, and a label.
 *
 * <p>The body's arrays are not copied, since a body is large; they must not change while the
 * request is used.
 */
@AutoValue
public abstract class LoadRequest {
  LoadRequest() {}

  /** Database of the table. */
  public abstract String database();

  /** The table. */
  public abstract String table();

  /** The load's label, see {@link Labels}. */
  public abstract String label();

  /** The columns of the body in its order, in the table's spelling. */
  public abstract ImmutableList<String> columns();

  /** The body in pieces; together one or more complete Arrow IPC streams. */
  public abstract ImmutableList<byte[]> body();

  /** Further headers of the load. */
  public abstract ImmutableMap<String, String> headers();

  /** Whether the transaction is to wait for its commit. */
  public abstract boolean twoPhase();

  /** Bytes of the body. */
  public final long bodyBytes() {
    long bytes = 0;
    for (byte[] piece : body()) {
      bytes += piece.length;
    }
    return bytes;
  }

  /** A load without further headers that becomes visible at once. */
  public static LoadRequest of(
      String database, String table, String label, List<String> columns, List<byte[]> body) {
    if (!Labels.isValid(label)) {
      throw new IllegalArgumentException(
          "Invalid label: %s (must match %s)".formatted(label, Labels.PATTERN));
    }
    if (columns.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot load into table %s.%s: no columns are named".formatted(database, table));
    }
    columns.forEach(column -> Headers.checkColumn(database, table, column));
    LoadRequest request =
        new AutoValue_LoadRequest(
            database,
            table,
            label,
            ImmutableList.copyOf(columns),
            ImmutableList.copyOf(body),
            ImmutableMap.of(),
            false);
    if (request.bodyBytes() == 0) {
      throw new IllegalArgumentException(
          "Cannot load into table %s.%s: the body is empty, and would use up label %s for nothing"
              .formatted(database, table, label));
    }
    return request;
  }

  /**
   * The same load with these headers, for example {@code max_filter_ratio}, {@code
   * partial_columns}, {@code function_column.sequence_col} or {@code timeout}.
   *
   * @throws IllegalArgumentException for a header that the protocol itself sets, or that would
   *     change how the body is read
   */
  public final LoadRequest withHeaders(Map<String, String> headers) {
    headers.forEach(Headers::checkUser);
    return new AutoValue_LoadRequest(
        database(), table(), label(), columns(), body(), ImmutableMap.copyOf(headers), twoPhase());
  }

  /** The same load, to be committed by {@link TwoPhaseProtocol#commit}. */
  final LoadRequest withTwoPhase() {
    return new AutoValue_LoadRequest(
        database(), table(), label(), columns(), body(), headers(), true);
  }

  /** Without the body. */
  @Override
  public final String toString() {
    return "LoadRequest{%s.%s, label=%s, columns=%s, bytes=%d, headers=%s, twoPhase=%s}"
        .formatted(
            database(), table(), label(), columns(), bodyBytes(), headers().keySet(), twoPhase());
  }
}
