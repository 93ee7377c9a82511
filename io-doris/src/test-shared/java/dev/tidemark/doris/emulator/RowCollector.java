package dev.tidemark.doris.emulator;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Takes the rows of a body, keeps those a table can have and filters the others. */
final class RowCollector {

  private static final int MAX_LOGGED = 50;
  private static final int MAX_STRING_BYTES = 1 << 20;

  private final LoadPlan plan;
  private final TableDefinition table;
  private final boolean keepRows;
  private final EqualKeys equalKeys;
  private final @Nullable BitSet written;
  private final Set<List<@Nullable Object>> keys = new HashSet<>();

  private final List<LoadedRow> rows = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private long total;
  private long filtered;

  /**
   * @param keepRows whether the rows are wanted, or only their count
   */
  RowCollector(LoadPlan plan, boolean keepRows, EqualKeys equalKeys) {
    this.plan = plan;
    this.table = plan.table();
    this.keepRows = keepRows;
    this.equalKeys = equalKeys;
    this.written = plan.partial() ? writtenColumns(plan) : null;
  }

  private static BitSet writtenColumns(LoadPlan plan) {
    BitSet columns = new BitSet();
    for (LoadPlan.Source source : plan.sources()) {
      if (source.column() >= 0) {
        columns.set(source.column());
      }
    }
    return columns;
  }

  boolean keepsRows() {
    return keepRows;
  }

  /** Counts rows that nobody looks at. */
  void count(long more) {
    total += more;
  }

  /**
   * Filters a row with a reason for the error log.
   *
   * @param line the row as it came, or null for its number
   */
  void filter(String reason, @Nullable String line) {
    if (errors.size() < MAX_LOGGED) {
      String source = line == null ? "row " + total : line;
      errors.add("Reason: " + reason + ". src line [" + source + "]; ");
    }
    total++;
    filtered++;
  }

  /**
   * Takes a row.
   *
   * @param fields in the order of the plan's sources
   * @param line the row for the error log, or null for its number
   */
  void add(@Nullable Object[] fields, @Nullable String line) throws RefusedException {
    @Nullable Object[] values = new Object[table.columns().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = plan.defaultOf(i);
    }
    boolean deleted = plan.mergeType() == LoadPlan.MergeType.DELETE;
    for (int i = 0; i < fields.length; i++) {
      int column = plan.sources().get(i).column();
      if (column >= 0) {
        values[column] = fields[i];
      } else if (column == LoadPlan.DELETE_SIGN) {
        deleted |= isDelete(fields[i]);
      }
    }
    LoadPlan.DeleteCondition condition = plan.delete();
    if (condition != null) {
      deleted |= condition.text().equals(String.valueOf(fields[condition.source()]));
    }
    String problem = problemOf(values);
    if (problem != null) {
      filter(problem, line);
      return;
    }
    total++;
    if (keepRows) {
      keep(fields, values, deleted);
    }
  }

  private void keep(@Nullable Object[] fields, @Nullable Object[] values, boolean deleted)
      throws RefusedException {
    List<@Nullable Object> row = Collections.unmodifiableList(Arrays.asList(values));
    if (table.unique() && !table.hasSequence() && equalKeys == EqualKeys.REFUSE) {
      int keyColumns = (int) table.columns().stream().filter(Column::key).count();
      if (!keys.add(row.subList(0, keyColumns))) {
        throw new RefusedException(
            "Table "
                + table.fullName()
                + ": two rows of the load have one key, and Doris does not promise which of them"
                + " wins. Send the last change of each key only");
      }
    }
    int sequence = plan.sequenceSource();
    rows.add(new LoadedRow(row, deleted, sequence < 0 ? null : fields[sequence], written));
  }

  private boolean isDelete(@Nullable Object sign) throws RefusedException {
    if (sign instanceof Long value && (value == 0 || value == 1)) {
      return value == 1;
    }
    throw new RefusedException(
        "Table "
            + table.fullName()
            + ": a row has the delete sign "
            + sign
            + ", which Doris ignores or misreads. Send 0 or 1 with each row");
  }

  private @Nullable String problemOf(@Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      if (written != null && !written.get(i)) {
        continue;
      }
      Column column = table.columns().get(i);
      Object value = values[i];
      if (value == null) {
        if (!column.nullable()) {
          return "column(" + column.name() + ") values is null while columns is not nullable";
        }
        continue;
      }
      int limit =
          switch (column.type().kind()) {
            case CHAR, VARCHAR -> column.type().precision();
            case STRING -> MAX_STRING_BYTES;
            default -> Integer.MAX_VALUE;
          };
      if (limit < Integer.MAX_VALUE && lengthOf(value) > limit) {
        return "column_name["
            + column.name()
            + "], the length of input is too long than schema. schema length: "
            + limit
            + "; actual length: "
            + lengthOf(value);
      }
    }
    return null;
  }

  private static int lengthOf(Object value) {
    if (value instanceof ByteBuffer bytes) {
      return bytes.remaining();
    }
    String text = (String) value;
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  List<LoadedRow> rows() {
    return rows;
  }

  long total() {
    return total;
  }

  long filtered() {
    return filtered;
  }

  long loaded() {
    return total - filtered;
  }

  /** Lines of the error log; not of every filtered row. */
  List<String> errors() {
    return errors;
  }

  /** Whether more rows were filtered than the load allows. */
  boolean tooManyFiltered() {
    return total > 0 && filtered > plan.maxFilterRatio() * total;
  }
}
