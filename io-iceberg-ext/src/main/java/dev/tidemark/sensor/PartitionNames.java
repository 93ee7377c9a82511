package dev.tidemark.sensor;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.commit.TidemarkKeys;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The event time that a partition of this name holds, where the table is, or was, partitioned by a
 * time transform of its event-time column.
 *
 * <p>Names are those that Iceberg gives to folders. A folder of several fields is as complete as
 * its time field says, since a watermark is about the whole table.
 */
final class PartitionNames {
  private enum Width {
    YEAR("[0-9]{4}"),
    MONTH("[0-9]{4}-[0-9]{2}"),
    DAY("[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    HOUR("[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}");

    private final Pattern form;

    Width(String form) {
      this.form = Pattern.compile(form);
    }

    /** The width of a transform; null if it is no time transform. */
    static @Nullable Width of(PartitionField field) {
      return switch (field.transform().toString()) {
        case "year" -> YEAR;
        case "month" -> MONTH;
        case "day" -> DAY;
        case "hour" -> HOUR;
        default -> null;
      };
    }

    LocalDateTime start(String value) {
      List<Integer> parts = new ArrayList<>();
      Matcher numbers = Pattern.compile("[0-9]+").matcher(value);
      while (numbers.find()) {
        parts.add(Integer.valueOf(numbers.group()));
      }
      return LocalDateTime.of(
          parts.get(0),
          parts.size() > 1 ? parts.get(1) : 1,
          parts.size() > 2 ? parts.get(2) : 1,
          parts.size() > 3 ? parts.get(3) : 0,
          0);
    }

    LocalDateTime end(LocalDateTime start) {
      return switch (this) {
        case YEAR -> start.plusYears(1);
        case MONTH -> start.plusMonths(1);
        case DAY -> start.plusDays(1);
        case HOUR -> start.plusHours(1);
      };
    }
  }

  private record TimeField(String name, Width width) {}

  private record Named(String value, Width width) {}

  private final TableMetadata metadata;
  private final TidemarkKeys keys;
  private final String name;

  private PartitionNames(TableMetadata metadata, TidemarkKeys keys, String name) {
    this.metadata = metadata;
    this.keys = keys;
    this.name = name;
  }

  /**
   * The range of a partition.
   *
   * @throws IllegalArgumentException if the table has no such partitions
   */
  static EventTimeRange resolve(TableMetadata metadata, TidemarkKeys keys, String name) {
    return new PartitionNames(metadata, keys, name).range();
  }

  private EventTimeRange range() {
    Types.NestedField column = column();
    List<TimeField> fields = timeFields(column);
    Named named = name.contains("=") ? inFolder(fields) : alone(fields);
    LocalDateTime start;
    try {
      start = named.width().start(named.value());
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "Invalid partition: %s (must be a date that exists)".formatted(name), e);
    }
    ZoneId zone = isLocal(column.type()) ? zone() : ZoneOffset.UTC;
    return EventTimeRange.of(
        LocalTimes.start(start, zone), LocalTimes.endOfRows(named.width().end(start), zone));
  }

  private Types.NestedField column() {
    String path = metadata.properties().get(keys.eventTimeColumn());
    if (path == null) {
      throw unknown("property " + keys.eventTimeColumn() + " names no event-time column");
    }
    Types.NestedField column = metadata.schema().findField(path);
    if (column == null) {
      throw unknown("the table has no event-time column " + path);
    }
    return column;
  }

  /** Of all specs, since partitions of older ones remain; those of the current one first. */
  private List<TimeField> timeFields(Types.NestedField column) {
    List<PartitionSpec> specs = new ArrayList<>();
    specs.add(metadata.spec());
    specs.addAll(metadata.specs());
    List<TimeField> fields = new ArrayList<>();
    for (PartitionSpec spec : specs) {
      for (PartitionField field : spec.fields()) {
        Width width = Width.of(field);
        if (width != null && field.sourceId() == column.fieldId()) {
          fields.add(new TimeField(field.name(), width));
        }
      }
    }
    if (fields.isEmpty()) {
      throw unknown("the table is not partitioned by hour, day, month or year of " + column.name());
    }
    return fields;
  }

  private Named alone(List<TimeField> fields) {
    for (TimeField field : fields) {
      if (field.width().form.matcher(name).matches()) {
        return new Named(name, field.width());
      }
    }
    throw wrongForm(fields);
  }

  private Named inFolder(List<TimeField> fields) {
    ImmutableSet.Builder<String> builder = ImmutableSet.builder();
    metadata.specs().forEach(spec -> spec.fields().forEach(field -> builder.add(field.name())));
    ImmutableSet<String> known = builder.build();
    Named found = null;
    for (String part : Splitter.on('/').split(name)) {
      int equals = part.indexOf('=');
      String key =
          equals < 0 ? part : URLDecoder.decode(part.substring(0, equals), StandardCharsets.UTF_8);
      if (equals < 0 || !known.contains(key)) {
        throw unknown("the table has no partition field " + key);
      }
      String value = part.substring(equals + 1);
      for (TimeField field : fields) {
        if (field.name().equals(key)) {
          if (found != null || !field.width().form.matcher(value).matches()) {
            throw wrongForm(fields);
          }
          found = new Named(value, field.width());
          break;
        }
      }
    }
    if (found == null) {
      throw wrongForm(fields);
    }
    return found;
  }

  private ZoneId zone() {
    String zone = metadata.properties().get(keys.eventTimeZone());
    try {
      return zone == null ? ZoneOffset.UTC : ZoneId.of(zone);
    } catch (DateTimeException e) {
      throw new FinalizationException(
          FinalizationException.Kind.UNREADABLE,
          "Cannot read property %s: %s is no time zone. Restore the property."
              .formatted(keys.eventTimeZone(), zone),
          e);
    }
  }

  static boolean isLocal(Type type) {
    return switch (type.typeId()) {
      case DATE -> true;
      case TIMESTAMP -> !((Types.TimestampType) type).shouldAdjustToUTC();
      case TIMESTAMP_NANO -> !((Types.TimestampNanoType) type).shouldAdjustToUTC();
      default -> false;
    };
  }

  private IllegalArgumentException wrongForm(List<TimeField> fields) {
    List<String> forms =
        fields.stream()
            .map(
                field ->
                    field.name()
                        + "="
                        + switch (field.width()) {
                          case YEAR -> "yyyy";
                          case MONTH -> "yyyy-MM";
                          case DAY -> "yyyy-MM-dd";
                          case HOUR -> "yyyy-MM-dd-HH";
                        })
            .distinct()
            .toList();
    return new IllegalArgumentException(
        "Invalid partition: %s (must be like %s, or the value alone)"
            .formatted(name, String.join(" or ", forms)));
  }

  private IllegalArgumentException unknown(String reason) {
    return new IllegalArgumentException(
        "Cannot find partition %s: %s. Give start and end instead.".formatted(name, reason));
  }
}
