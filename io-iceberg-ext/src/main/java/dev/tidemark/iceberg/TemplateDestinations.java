package dev.tidemark.iceberg;

import com.google.common.collect.ImmutableList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Names tables by a text with columns in braces, {@code shop.orders_{region}}. A row with null in
 * one of them has no table. (Beam's own interpolation makes an empty text of null, and so another
 * table.)
 */
record TemplateDestinations(String template) implements TableDestinations {
  private static final long serialVersionUID = 1L;
  private static final Pattern COLUMN = Pattern.compile("\\{([^{}]+)\\}");

  /** Whether a name of a table has columns in it. */
  static boolean isTemplate(String table) {
    return COLUMN.matcher(table).find();
  }

  /**
   * Checks the columns.
   *
   * @throws IllegalArgumentException if the schema lacks one
   */
  void check(Schema schema) {
    for (String column : COLUMN.matcher(template).results().map(match -> match.group(1)).toList()) {
      if (!schema.hasField(column)) {
        throw new IllegalArgumentException(
            String.format(
                "Invalid field table: there is no column %s for %s. The columns are %s",
                column, template, ImmutableList.copyOf(schema.getFieldNames())));
      }
    }
  }

  @Override
  public @Nullable String tableOf(Row row) {
    Matcher matcher = COLUMN.matcher(template);
    StringBuilder table = new StringBuilder();
    while (matcher.find()) {
      Object value = row.getValue(matcher.group(1));
      if (value == null) {
        return null;
      }
      matcher.appendReplacement(table, Matcher.quoteReplacement(value.toString()));
    }
    return matcher.appendTail(table).toString();
  }
}
