package dev.tidemark.upsert;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.io.Serializable;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;

/**
 * The key columns of rows as bytes, in the form of a row that has these columns only (see {@link
 * RowEncoding}): keys are equal if and only if their bytes are, and nulls are ordinary values.
 *
 * <p><b>Sink keys</b> may have columns of all types. They are compared by bytes, as Flink does when
 * it sends binary rows by key: 0.0 and -0.0 are two keys, and so are NaN of other bits.
 *
 * <p><b>Upsert keys</b> are what retractions find their candidates by. Flink's strategies compare
 * them in different ways; most types come out the same. Where FLOAT or DOUBLE columns do not, both
 * forms are written ({@link #isFloatKey()}), so that each strategy can compare as it does in Flink.
 * Refused is what Flink's strategies disagree on and two forms cannot express:
 *
 * <ul>
 *   <li>a map, anywhere in a column: some strategies compare its values by reference;
 *   <li>FLOAT or DOUBLE as a field of a nested row: compared as numbers or by their bits, depending
 *       on strategy, size and state backend. Within arrays they are compared by their bits by all.
 * </ul>
 *
 * <p>Belongs to one thread, since it works in a buffer of its own; copies by serialization are
 * independent.
 */
public final class KeyEncoding implements Serializable {
  private static final long serialVersionUID = 1;

  private final Schema schema;
  private final ImmutableList<String> columns;
  private final MapOrder mapOrder;
  private final boolean upsertKey;
  private final transient boolean floatKey;
  private final transient int[] indexes;
  private final transient ValueEncoding[] exact;
  private final transient ValueEncoding[] normalised;
  private final transient EncodingBuffer buffer;
  private final transient EncodingBuffer normalisedBuffer;

  private KeyEncoding(
      Schema schema, ImmutableList<String> columns, MapOrder mapOrder, boolean upsertKey) {
    this.schema = schema;
    this.columns = columns;
    this.mapOrder = mapOrder;
    this.upsertKey = upsertKey;
    this.indexes = columns.stream().mapToInt(schema::indexOf).toArray();
    this.exact = new ValueEncoding[indexes.length];
    this.normalised = new ValueEncoding[indexes.length];
    boolean floats = false;
    for (int i = 0; i < indexes.length; i++) {
      FieldType type = schema.getField(indexes[i]).getType();
      exact[i] = ValueEncoding.of(type, mapOrder, FloatForm.EXACT);
      normalised[i] = ValueEncoding.of(type, mapOrder, FloatForm.ONE_ZERO);
      floats = floats || UpsertKeyTypes.isFloat(type);
    }
    this.floatKey = upsertKey && floats;
    this.buffer = new EncodingBuffer();
    this.normalisedBuffer = new EncodingBuffer();
  }

  /**
   * An encoding of sink keys: the columns by whose values candidates are kept.
   *
   * @throws IllegalArgumentException if there is no column, one twice, or one the schema lacks
   */
  public static KeyEncoding ofSinkKey(Schema schema, List<String> columns) {
    check(schema, columns, "sink key");
    return new KeyEncoding(schema, ImmutableList.copyOf(columns), MapOrder.SORTED, false);
  }

  /**
   * An encoding of upsert keys: the columns by whose values candidates of a sink key are told
   * apart.
   *
   * @throws IllegalArgumentException if there is no column, one twice, one the schema lacks, or one
   *     of a type whose values Flink's strategies compare in different ways
   */
  public static KeyEncoding ofUpsertKey(Schema schema, List<String> columns) {
    check(schema, columns, "upsert key");
    for (String column : columns) {
      FieldType type = schema.getField(column).getType();
      String reason = UpsertKeyTypes.refusal(type);
      checkArgument(
          reason == null,
          "Cannot use column %s of type %s in an upsert key: %s. Use columns of the types %s, or"
              + " give no upsert key: full rows are compared by their bytes",
          column,
          SchemaText.of(type),
          reason,
          UpsertKeyTypes.ACCEPTED);
    }
    return new KeyEncoding(schema, ImmutableList.copyOf(columns), MapOrder.SORTED, true);
  }

  /** Sets the order of the entries of maps. Default: {@link MapOrder#SORTED}. */
  public KeyEncoding withMapOrder(MapOrder mapOrder) {
    return new KeyEncoding(schema, columns, mapOrder, upsertKey);
  }

  /** The columns, in the order in which they are written. */
  public ImmutableList<String> columns() {
    return columns;
  }

  /**
   * Whether this is an upsert key with FLOAT or DOUBLE among its columns. It then has the form of
   * {@link dev.tidemark.candidates.UpsertSemantics#floatKey()}.
   */
  public boolean isFloatKey() {
    return floatKey;
  }

  /** What has to be the same for stored keys to mean the same. To be kept beside them. */
  public String description() {
    StringBuilder text = new StringBuilder(upsertKey ? "upsert key:" : "sink key:");
    text.append(RowEncoding.VERSION).append(':').append(mapOrder).append(":(");
    for (int i = 0; i < indexes.length; i++) {
      Schema.Field field = schema.getField(indexes[i]);
      text.append(i == 0 ? "" : ", ").append(field.getName()).append(' ');
      text.append(SchemaText.of(field.getType()));
    }
    return text.append(')').toString();
  }

  /** The key of a row of the schema. */
  public byte[] encode(Row row) {
    buffer.clear();
    encode(row, buffer);
    return buffer.toByteArray();
  }

  /** Adds the key of a row. */
  void encode(Row row, EncodingBuffer out) {
    if (floatKey) {
      normalisedBuffer.clear();
      encode(row, normalised, normalisedBuffer);
      out.putByte(hasNaN(row) ? 1 : 0);
      out.putVarint(normalisedBuffer.end());
      out.putAll(normalisedBuffer);
    }
    encode(row, exact, out);
  }

  private void encode(Row row, ValueEncoding[] fields, EncodingBuffer out) {
    int nulls = out.putBitmap(fields.length);
    for (int i = 0; i < fields.length; i++) {
      Object value = row.getValue(indexes[i]);
      if (value == null) {
        out.setBit(nulls, i);
      } else {
        fields[i].encode(value, out);
      }
    }
  }

  private boolean hasNaN(Row row) {
    for (int index : indexes) {
      Object value = row.getValue(index);
      if (value != null && UpsertKeyTypes.isNaN(schema.getField(index).getType(), value)) {
        return true;
      }
    }
    return false;
  }

  private static void check(Schema schema, List<String> columns, String what) {
    checkArgument(!columns.isEmpty(), "Invalid %s: no columns (must be one or more)", what);
    checkArgument(
        ImmutableSet.copyOf(columns).size() == columns.size(),
        "Invalid %s: %s (must not have a column twice)",
        what,
        columns);
    for (String column : columns) {
      checkArgument(
          schema.hasField(column),
          "Invalid %s: no column %s (must be among %s)",
          what,
          column,
          schema.getFieldNames());
    }
  }

  private Object readResolve() {
    return new KeyEncoding(schema, columns, mapOrder, upsertKey);
  }
}
