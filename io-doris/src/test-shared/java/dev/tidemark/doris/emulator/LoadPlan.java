package dev.tidemark.doris.emulator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What the headers of a load say about its rows, checked against the table. */
final class LoadPlan {

  /** Where a field of the body goes, if not to a column. */
  static final int DELETE_SIGN = -1;

  static final int SEQUENCE = -2;
  static final int IGNORED = -3;

  /**
   * One field of the body.
   *
   * @param name as the body must have it
   * @param column the place of its column in the table, or one of the above
   */
  record Source(String name, int column) {}

  private final TableDefinition table;
  private final String format;
  private final List<Source> sources;
  private final MergeType mergeType;
  private final @Nullable DeleteCondition delete;
  private final boolean partial;
  private final boolean strict;
  private final double maxFilterRatio;
  private final int sequenceColumn;
  private final @Nullable Object[] defaults;

  /** What the rows of a load do. */
  enum MergeType {
    APPEND,
    DELETE,
    MERGE
  }

  /** Rows of a MERGE that are deletes. */
  record DeleteCondition(int source, String text) {}

  private LoadPlan(TableDefinition table, RequestHead head, ColumnMatching matching)
      throws LoadFailedException {
    this.table = table;
    this.format = head.header("format", "csv").toLowerCase(Locale.ROOT);
    refuseUnmodelled(head);
    this.mergeType = mergeType(head);
    this.partial = partial(head);
    this.strict = strict(head);
    this.maxFilterRatio = maxFilterRatio(head);
    this.sources = sources(head, matching);
    this.delete = deleteCondition(head);
    this.sequenceColumn = sequenceColumn(head);
    this.defaults = defaults();
  }

  static LoadPlan of(TableDefinition table, RequestHead head, ColumnMatching matching)
      throws LoadFailedException {
    return new LoadPlan(table, head, matching);
  }

  private static void refuseUnmodelled(RequestHead head) throws LoadFailedException {
    for (String name : List.of("where", "partitions", "temporary_partitions")) {
      if (head.header(name) != null) {
        throw LoadFailedException.internal("The emulator does not model the header " + name);
      }
    }
    if (head.header("unique_key_update_mode", "").equalsIgnoreCase("UPDATE_FLEXIBLE_COLUMNS")) {
      throw LoadFailedException.internal("The emulator does not model flexible partial updates");
    }
  }

  private static boolean strict(RequestHead head) throws LoadFailedException {
    String text = head.header("strict_mode", "false").toLowerCase(Locale.ROOT);
    if (!text.equals("true") && !text.equals("false")) {
      throw new LoadFailedException(
          "[INVALID_ARGUMENT]Invalid strict mode format. Must be bool type");
    }
    return text.equals("true");
  }

  private static double maxFilterRatio(RequestHead head) throws LoadFailedException {
    String text = head.header("max_filter_ratio", "0");
    if (!text.matches("0(\\.\\d+)?|1(\\.0+)?")) {
      throw new LoadFailedException("[INVALID_ARGUMENT]Invalid max_filter_ratio: " + text);
    }
    return Double.parseDouble(text);
  }

  private MergeType mergeType(RequestHead head) throws LoadFailedException {
    String text = head.header("merge_type", "APPEND").toUpperCase(Locale.ROOT);
    MergeType type;
    try {
      type = MergeType.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw LoadFailedException.internal("Invalid merge type " + text);
    }
    if (type == MergeType.MERGE && head.header("delete") == null) {
      throw LoadFailedException.internal("Excepted DELETE ON clause when merge type is MERGE.");
    }
    if (type != MergeType.MERGE && head.header("delete") != null) {
      throw LoadFailedException.internal(
          "Not support DELETE ON clause when merge type is not MERGE.");
    }
    if (type != MergeType.APPEND && !table.unique()) {
      throw LoadFailedException.analysis(
          "load by MERGE or DELETE is only supported in unique tables.");
    }
    return type;
  }

  private boolean partial(RequestHead head) throws LoadFailedException {
    boolean asked =
        head.isTrue("partial_columns")
            || head.header("unique_key_update_mode", "").equalsIgnoreCase("UPDATE_FIXED_COLUMNS");
    if (asked && !table.mergeOnWrite()) {
      throw LoadFailedException.analysis(
          "Only unique key merge on write table support partial update");
    }
    return asked;
  }

  private List<Source> sources(RequestHead head, ColumnMatching matching)
      throws LoadFailedException {
    List<String> names = new ArrayList<>();
    String columns = head.header("columns");
    if (columns != null && !columns.isBlank()) {
      for (String part : columns.split(",", -1)) {
        if (part.contains("=")) {
          throw LoadFailedException.internal("The emulator does not model expressions of columns");
        }
        names.add(part.trim().replace("`", ""));
      }
    } else {
      for (Column column : table.columns()) {
        String lower = column.name().toLowerCase(Locale.ROOT);
        if (isArrow() && matching == ColumnMatching.LEGACY && !lower.equals(column.name())) {
          throw unknownColumn(lower);
        }
        names.add(column.name());
      }
      String hidden = head.header("hidden_columns");
      if (hidden != null) {
        for (String part : hidden.split(",", -1)) {
          names.add(part.trim().replace("`", ""));
        }
      }
    }
    List<Source> found = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (String name : names) {
      Source source = source(name);
      if (source.column() != IGNORED && !seen.add(source.column())) {
        throw LoadFailedException.analysis("Duplicate column: " + name);
      }
      found.add(source);
    }
    refuseMissing(seen);
    return List.copyOf(found);
  }

  private Source source(String name) throws LoadFailedException {
    if (table.unique() && name.equalsIgnoreCase(TableDefinition.DELETE_SIGN)) {
      return new Source(TableDefinition.DELETE_SIGN, DELETE_SIGN);
    }
    if (table.hasSequence() && name.equalsIgnoreCase(TableDefinition.SEQUENCE)) {
      return new Source(TableDefinition.SEQUENCE, SEQUENCE);
    }
    int index = table.indexOfAnyCase(name);
    if (index >= 0) {
      return new Source(table.columns().get(index).name(), index);
    }
    if (isArrow()) {
      throw unknownColumn(name);
    }
    return new Source(name, IGNORED);
  }

  private LoadFailedException unknownColumn(String name) {
    return LoadFailedException.analysis(
        "Unknown column " + name + " in table " + table.name() + " for FORMAT_ARROW load");
  }

  private void refuseMissing(Set<Integer> seen) throws LoadFailedException {
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      if (seen.contains(i)) {
        continue;
      }
      if (partial && column.key()) {
        throw LoadFailedException.analysis(
            "Partial update should include all key columns, missing: " + column.name());
      }
      if (!partial && !column.nullable() && !column.hasDefault()) {
        throw LoadFailedException.analysis("Column has no default value. column: " + column.name());
      }
    }
  }

  private @Nullable DeleteCondition deleteCondition(RequestHead head) throws LoadFailedException {
    String text = head.header("delete");
    if (text == null) {
      return null;
    }
    String[] sides = text.split("=", 2);
    String name = sides[0].trim().replace("`", "");
    for (int i = 0; i < sources.size() && sides.length == 2; i++) {
      if (sources.get(i).name().equalsIgnoreCase(name)) {
        return new DeleteCondition(i, sides[1].trim().replaceAll("^['\"]|['\"]$", ""));
      }
    }
    throw LoadFailedException.analysis("Unknown column '" + name + "' in 'delete' of the load");
  }

  /** The place of the field that has the sequence, or -1 if the table has none. */
  private int sequenceColumn(RequestHead head) throws LoadFailedException {
    if (!table.hasSequence()) {
      return -1;
    }
    String named = head.header("function_column.sequence_col");
    for (int i = 0; i < sources.size(); i++) {
      Source source = sources.get(i);
      boolean mapped =
          table.sequenceColumn() != null && source.name().equals(table.sequenceColumn());
      boolean chosen = table.sequenceType() != null && source.name().equalsIgnoreCase(named);
      if (source.column() == SEQUENCE || mapped || chosen) {
        return i;
      }
    }
    if (partial) {
      return -1;
    }
    throw LoadFailedException.analysis(
        "Table " + table.name() + " has sequence column, need to specify the sequence column");
  }

  private @Nullable Object[] defaults() {
    @Nullable Object[] values = new Object[table.columns().size()];
    for (int i = 0; i < values.length; i++) {
      Column column = table.columns().get(i);
      String text = column.defaultText();
      if (text != null) {
        values[i] = CreateTable.defaultValue(column.name(), column.type(), text);
      }
    }
    return values;
  }

  private boolean isArrow() {
    return format.equals("arrow");
  }

  TableDefinition table() {
    return table;
  }

  String format() {
    return format;
  }

  /** The fields of the body, in order. */
  List<Source> sources() {
    return sources;
  }

  MergeType mergeType() {
    return mergeType;
  }

  @Nullable DeleteCondition delete() {
    return delete;
  }

  boolean partial() {
    return partial;
  }

  boolean strict() {
    return strict;
  }

  double maxFilterRatio() {
    return maxFilterRatio;
  }

  /** The field that has the sequence, or -1. */
  int sequenceSource() {
    return sequenceColumn;
  }

  @Nullable Object defaultOf(int column) {
    return defaults[column];
  }

  /** The type that a field is read as; ignored fields are texts. */
  ColumnType typeOf(Source source) {
    return switch (source.column()) {
      case DELETE_SIGN -> ColumnType.of(ColumnType.Kind.TINYINT);
      case SEQUENCE -> table.typeOfSequence();
      case IGNORED -> ColumnType.of(ColumnType.Kind.STRING);
      default -> table.columns().get(source.column()).type();
    };
  }
}
