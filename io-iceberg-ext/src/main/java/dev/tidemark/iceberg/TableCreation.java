package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.commit.NewTableDefaults;
import java.io.Serializable;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.display.HasDisplayData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.exceptions.ValidationException;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * How a missing table is created: partition fields, properties, location. The schema is that of the
 * rows.
 *
 * <pre>{@code
 * TableCreation.unpartitioned().withPartitions("hour(placed)", "bucket(16, customer_id)", "region")
 * }</pre>
 */
@AutoValue
public abstract class TableCreation implements Serializable, HasDisplayData {
  private static final Pattern FIELD =
      Pattern.compile(
          "\\s*(?:(year|month|day|hour|identity|void)\\(\\s*([^,()]+?)\\s*\\)"
              + "|(bucket|truncate)\\(\\s*(\\d{1,9})\\s*,\\s*([^,()]+?)\\s*\\)"
              + "|([^,()]+?))\\s*");

  TableCreation() {}

  /** Partition fields as they were given. */
  abstract ImmutableList<String> partitions();

  abstract ImmutableMap<String, String> properties();

  abstract @Nullable String location();

  /** A table without partitions, with Tidemark's defaults for new tables. */
  public static TableCreation unpartitioned() {
    return new AutoValue_TableCreation(ImmutableList.of(), ImmutableMap.of(), null);
  }

  /**
   * Partition fields, each {@code column} or one of {@code identity(column)}, {@code year(column)},
   * {@code month(column)}, {@code day(column)}, {@code hour(column)}, {@code bucket(n, column)},
   * {@code truncate(w, column)}. Columns inside structs are given by dotted path. Default: none.
   *
   * @throws IllegalArgumentException if a field cannot be parsed
   */
  public TableCreation withPartitions(String... fields) {
    for (String field : fields) {
      matcher(field);
    }
    return new AutoValue_TableCreation(ImmutableList.copyOf(fields), properties(), location());
  }

  /**
   * Table properties. They come before Tidemark's defaults for new tables, which are compressed
   * metadata files and the removal of old ones ({@link NewTableDefaults}).
   */
  public TableCreation withProperties(Map<String, String> properties) {
    return new AutoValue_TableCreation(partitions(), ImmutableMap.copyOf(properties), location());
  }

  /** Location of the table. Default: the catalog's choice. */
  public TableCreation withLocation(String location) {
    return new AutoValue_TableCreation(partitions(), properties(), location);
  }

  /**
   * The partition spec of a table with this schema.
   *
   * @throws IllegalArgumentException if the schema lacks a column, or the column does not take the
   *     transform
   */
  PartitionSpec spec(Schema schema) {
    PartitionSpec.Builder builder = PartitionSpec.builderFor(schema);
    try {
      for (String field : partitions()) {
        addField(builder, field);
      }
      return builder.build();
    } catch (IllegalArgumentException | ValidationException e) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot partition a table by %s: %s. Correct withPartitions; the columns are %s",
              partitions(),
              e.getMessage(),
              schema.columns().stream()
                  .map(column -> column.name() + " " + column.type())
                  .toList()),
          e);
    }
  }

  Map<String, String> allProperties(Catalog catalog) {
    return NewTableDefaults.with(catalog, properties());
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    builder
        .add(
            DisplayData.item("partitions", partitions().toString())
                .withLabel("Partition fields of new tables"))
        .add(
            DisplayData.item("properties", String.join(",", properties().keySet()))
                .withLabel("Properties set on new tables"))
        .addIfNotNull(
            DisplayData.item("location", location()).withLabel("Location of a new table"));
  }

  private static Matcher matcher(String field) {
    Matcher matcher = FIELD.matcher(field);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid partition field: %s (must be a column, or one of identity, year, month, day,"
                  + " hour, void of a column, bucket(n, column), truncate(w, column))",
              field));
    }
    return matcher;
  }

  private static void addField(PartitionSpec.Builder builder, String field) {
    Matcher matcher = matcher(field);
    if (matcher.group(6) != null) {
      builder.identity(matcher.group(6));
      return;
    }
    if (matcher.group(3) != null) {
      int width = Integer.parseInt(matcher.group(4));
      String column = matcher.group(5);
      if (matcher.group(3).equals("bucket")) {
        builder.bucket(column, width);
      } else {
        builder.truncate(column, width);
      }
      return;
    }
    String column = matcher.group(2);
    switch (matcher.group(1)) {
      case "year" -> builder.year(column);
      case "month" -> builder.month(column);
      case "day" -> builder.day(column);
      case "hour" -> builder.hour(column);
      case "void" -> builder.alwaysNull(column);
      default -> builder.identity(column);
    }
  }
}
