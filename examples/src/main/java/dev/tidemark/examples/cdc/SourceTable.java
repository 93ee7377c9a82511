package dev.tidemark.examples.cdc;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.change.DebeziumTable;
import dev.tidemark.change.UnavailableValues;
import dev.tidemark.eventtime.EventTimeExtractor;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;

/**
 * A table of the source, and where its changes go.
 *
 * @param name the table in Iceberg and in Doris
 * @param schema the columns as in the source's database
 * @param timeUnits units of columns with times that come as numbers
 * @param key the columns of the primary key
 * @param fullBeforeImages whether the source has REPLICA IDENTITY FULL
 * @param eventTime the column of the event time
 * @param partitions partition fields of the change table
 */
public record SourceTable(
    String name,
    String topic,
    Schema schema,
    ImmutableMap<String, ChronoUnit> timeUnits,
    ImmutableMap<String, Object> defaults,
    ImmutableList<String> key,
    boolean decimalsAsText,
    boolean fullBeforeImages,
    boolean ignoresOtherColumns,
    String eventTime,
    ZoneId eventTimeZone,
    ImmutableList<String> partitions) {

  /** How its events are read. */
  DebeziumTable debezium() {
    DebeziumTable table = DebeziumTable.of(topic, schema).withKey(key.toArray(new String[0]));
    for (Map.Entry<String, ChronoUnit> unit : timeUnits.entrySet()) {
      table = table.withTimeUnit(unit.getKey(), unit.getValue());
    }
    for (Map.Entry<String, Object> value : defaults.entrySet()) {
      table = table.withDefault(value.getKey(), value.getValue());
    }
    if (decimalsAsText) {
      table = table.withDecimalsAsText();
    }
    if (fullBeforeImages) {
      table =
          table.withFullBeforeImages().withUnavailableValues(UnavailableValues.FILL_FROM_BEFORE);
    }
    return ignoresOtherColumns ? table.ignoringUndeclaredColumns() : table;
  }

  EventTimeExtractor eventTimeExtractor() {
    return EventTimeExtractor.column(eventTime).withZone(eventTimeZone);
  }

  String[] keyColumns() {
    return key.toArray(new String[0]);
  }
}
