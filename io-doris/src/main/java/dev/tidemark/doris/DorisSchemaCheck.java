package dev.tidemark.doris;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.streamload.KeysType;
import dev.tidemark.streamload.TableColumn;
import dev.tidemark.streamload.TableSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Compares what is to be written with the table before the first byte is sent, and refuses what the
 * server would misread.
 */
final class DorisSchemaCheck {
  private static final int TYPO = 2;

  private final DorisTable table;
  private final TableSchema live;
  private final Schema source;
  private final LoadRules rules;

  private DorisSchemaCheck(DorisTable table, TableSchema live, Schema source, LoadRules rules) {
    this.table = table;
    this.live = live;
    this.source = source;
    this.rules = rules;
  }

  /**
   * How rows of a schema are written.
   *
   * @throws IllegalArgumentException with table, column, both types and the remedy, if they cannot
   *     be
   */
  static LoadPlan plan(DorisTable table, TableSchema live, Schema source, LoadRules rules) {
    return new DorisSchemaCheck(table, live, source, rules).plan();
  }

  private LoadPlan plan() {
    checkModel();
    Map<String, Integer> sources = sources();
    TargetTypes types = new TargetTypes(rules.forwarded());
    List<LoadPlan.Column> columns = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (TableColumn column : live.columns()) {
      Integer at = sources.get(column.name());
      if (at == null) {
        if (mustBeWritten(column)) {
          missing.add(column.name() + " " + typeOf(column));
        }
        continue;
      }
      columns.add(column(types, column, at));
    }
    if (!missing.isEmpty()) {
      throw refusal(
          String.format(
              "the rows lack %s, which the table demands",
              missing.size() == 1 ? "column " + missing.get(0) : "columns " + missing),
          "Add them to the rows; or, if the table has a default for them, name them with"
              + " withDefaultedColumns(...)");
    }
    return new LoadPlan(table, columns, rules.changes(), key(columns), sequence(columns));
  }

  private void checkModel() {
    boolean unique = live.keysType() == KeysType.UNIQUE_KEYS;
    if (!unique && rules.changes()) {
      throw refusal(
          "its model is "
              + live.keysType()
              + ", and updates and deletes of single rows need UNIQUE_KEYS",
          "Write to a table with UNIQUE KEY, or write rows instead of changes");
    }
    if (!unique && !table.key().isEmpty()) {
      throw refusal(
          String.format("key %s was given, but its model is %s", table.key(), live.keysType()),
          "Leave out withKey(...), or write to a table with UNIQUE KEY");
    }
    if (!unique && rules.partialUpdate()) {
      throw refusal(
          "partial updates need a table with UNIQUE KEY, and its model is " + live.keysType(),
          "Leave out withPartialUpdate()");
    }
    if (unique && table.key().isEmpty()) {
      throw refusal(
          "its model is UNIQUE_KEYS, and the key is not known",
          "Name its columns with DorisTable.withKey(...)");
    }
  }

  /** Fields by the name of the table's column. Doris does not tell upper from lower case. */
  private Map<String, Integer> sources() {
    Map<String, Integer> sources = new LinkedHashMap<>();
    List<Field> fields = source.getFields();
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.get(i).getName();
      TableColumn column = columnNamed(name);
      if (column == null) {
        throw refusal(
            String.format(
                "the rows have column %s of type %s, and the table has none of this name%s",
                name, fields.get(i).getType(), suggestion(name)),
            "Rename it, drop it before, or add it to the table");
      }
      if (sources.putIfAbsent(column.name(), i) != null) {
        throw refusal(
            String.format("column %s is twice in the rows, in other case", column.name()),
            "Drop one of them before");
      }
    }
    return sources;
  }

  private TableColumn columnNamed(String name) {
    for (TableColumn column : live.columns()) {
      if (column.name().equalsIgnoreCase(name)) {
        return column;
      }
    }
    return null;
  }

  private boolean mustBeWritten(TableColumn column) {
    boolean isKey = contains(table.key(), column.name());
    boolean isSequence = column.name().equalsIgnoreCase(rules.sequenceColumn());
    return isKey
        || isSequence
        || (Boolean.FALSE.equals(column.nullable())
            && !rules.partialUpdate()
            && !contains(rules.defaultedColumns(), column.name()));
  }

  private LoadPlan.Column column(TargetTypes types, TableColumn column, int at) {
    Field field = source.getFields().get(at);
    DorisType type = typeOf(column);
    boolean isKey = contains(table.key(), column.name());
    try {
      return new LoadPlan.Column(
          types.target(column.name(), field, type),
          at,
          Boolean.FALSE.equals(column.nullable()),
          !isKey && !Boolean.TRUE.equals(column.nullable()));
    } catch (TargetTypes.Mismatch e) {
      throw refusal(
          String.format(
              "column %s is %s there and %s in what is written", column.name(), type, text(field)),
          e.getMessage());
    }
  }

  private static String text(Field field) {
    String type = field.getType().toString();
    if (field.getDictionary() != null) {
      return "a dictionary of " + type;
    }
    return field.getChildren().isEmpty()
        ? type
        : field.getChildren().stream()
            .map(DorisSchemaCheck::text)
            .collect(Collectors.joining(", ", type + "<", ">"));
  }

  private int[] key(List<LoadPlan.Column> columns) {
    int size = table.key().size();
    Set<String> first =
        live.columns().stream()
            .limit(size)
            .map(column -> column.name().toLowerCase(Locale.ROOT))
            .collect(ImmutableSet.toImmutableSet());
    List<Integer> key = new ArrayList<>();
    for (String name : table.key()) {
      if (columnNamed(name) == null) {
        throw refusal(
            String.format("its key was given as %s, and it has no column %s", table.key(), name),
            "Name the columns of its UNIQUE KEY with DorisTable.withKey(...)");
      }
      if (!first.contains(name.toLowerCase(Locale.ROOT))) {
        throw refusal(
            String.format(
                "its key was given as %s, but keys are the first columns of a table, which are %s",
                table.key(), first),
            "Name the columns of its UNIQUE KEY with DorisTable.withKey(...)");
      }
    }
    for (int i = 0; i < columns.size(); i++) {
      if (contains(table.key(), columns.get(i).field().getName())) {
        key.add(i);
      }
    }
    return key.stream().mapToInt(Integer::intValue).toArray();
  }

  private int sequence(List<LoadPlan.Column> columns) {
    String sequence = rules.sequenceColumn();
    if (sequence == null) {
      return -1;
    }
    for (int i = 0; i < columns.size(); i++) {
      Field field = columns.get(i).field();
      if (field.getName().equalsIgnoreCase(sequence)) {
        return switch (field.getType().getTypeID()) {
          case Int, Date, Timestamp -> i;
          default ->
              throw refusal(
                  String.format(
                      "sequence column %s is of type %s", field.getName(), field.getType()),
                  "Doris takes integers, dates and timestamps as sequence: choose another column");
        };
      }
    }
    throw refusal(
        String.format("the table has no sequence column %s%s", sequence, suggestion(sequence)),
        "Name the column of the table's property function_column.sequence_col with"
            + " withSequenceColumn(...)");
  }

  private static DorisType typeOf(TableColumn column) {
    return DorisType.parse(column.type(), column.precision(), column.scale());
  }

  private static boolean contains(Iterable<String> names, String name) {
    for (String other : names) {
      if (other.equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }

  private String suggestion(String name) {
    for (TableColumn column : live.columns()) {
      if (distance(column.name().toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT)) <= TYPO) {
        return "; did you mean " + column.name() + "?";
      }
    }
    return "; it has "
        + Joiner.on(", ").join(live.columns().stream().map(TableColumn::name).toList());
  }

  /** How many characters to insert, remove or replace to get from one text to the other. */
  private static int distance(String from, String to) {
    int[] previous = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] current = new int[to.length() + 1];
      current[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[to.length()];
  }

  private IllegalArgumentException refusal(String reason, String remedy) {
    return new IllegalArgumentException(
        String.format("Cannot write to table %s: %s. %s", table, reason, remedy));
  }
}
