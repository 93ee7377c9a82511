package dev.tidemark.upsert;

import java.io.Serializable;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/**
 * Rows of one schema as bytes, and back. Each row has one form: <b>rows are equal if and only if
 * their bytes are</b>. That is how candidates are matched where no upsert key is given, as Flink
 * compares the bytes of binary rows.
 *
 * <pre>{@code
 * RowEncoding encoding = RowEncoding.of(schema);
 * byte[] bytes = encoding.encode(row);
 * Row same = encoding.decode(bytes);
 * }</pre>
 *
 * <p>What is equal:
 *
 * <ul>
 *   <li>null is equal to null only; not to an empty text, to 0, or to an empty array.
 *   <li>0.0 and -0.0 differ. NaN is equal to NaN of the same bits; within arrays, iterables and
 *       maps, at any depth, all NaN are equal and are read back as the one of Java.
 *   <li>Decimals keep their scale: 1.0 and 1.00 differ. In Flink a column of type {@code DECIMAL(p,
 *       s)} has but one scale. Where a source does not give each column one scale, give it one
 *       before.
 *   <li>Maps are equal if their entries are, in any order: Beam's coder of maps keeps none. With
 *       {@link MapOrder#AS_GIVEN} the order counts, as in Flink.
 *   <li>Nested rows are compared field by field. (In Flink a nested row has a change kind of its
 *       own, which counts; in Beam it has none.)
 *   <li>Instants are equal if their milliseconds are; their zone is not kept. As in Beam's coder of
 *       texts, half a surrogate pair becomes a question mark.
 *   <li>Logical types are compared by the values of their base types.
 * </ul>
 *
 * <p>Whether a field is nullable does not matter: null is written wherever it is found, so that
 * incomplete rows can be, too.
 *
 * <p><b>Format</b>, {@linkplain #VERSION version} 1. The version is not in the bytes of each row;
 * {@link #description()} has it, and is kept once beside them. Big-endian; varints have seven bits
 * a byte, low ones first, in the shortest form.
 *
 * <table>
 *   <caption>Types</caption>
 *   <tr><td>row</td><td>a bit per field, low ones first, set for null; the fields that are not null</td></tr>
 *   <tr><td>BYTE, INT16, INT32, INT64</td><td>1, 2, 4, 8 bytes</td></tr>
 *   <tr><td>FLOAT, DOUBLE</td><td>4, 8 bytes of IEEE 754</td></tr>
 *   <tr><td>BOOLEAN</td><td>a byte, 0 or 1</td></tr>
 *   <tr><td>DATETIME</td><td>8 bytes, milliseconds since 1970</td></tr>
 *   <tr><td>STRING, BYTES</td><td>varint length in bytes; UTF-8 or the bytes</td></tr>
 *   <tr><td>DECIMAL</td><td>zigzag varint scale; varint length; unscaled value, two's complement</td></tr>
 *   <tr><td>ARRAY, ITERABLE</td><td>varint size; a bit per element as in rows; the elements</td></tr>
 *   <tr><td>MAP</td><td>varint size; per entry its key and value, each as byte 0 and the value, or as
 *       byte 1 for null</td></tr>
 *   <tr><td>logical type</td><td>as its base type</td></tr>
 * </table>
 *
 * <p>Belongs to one thread, since it works in a buffer of its own; copies by serialization are
 * independent.
 */
public final class RowEncoding implements Serializable {
  /** The version of the format. */
  public static final int VERSION = 1;

  private static final long serialVersionUID = 1;

  private final Schema schema;
  private final MapOrder mapOrder;
  private final transient FieldsEncoding fields;
  private final transient EncodingBuffer buffer;

  private RowEncoding(Schema schema, MapOrder mapOrder) {
    this.schema = schema;
    this.mapOrder = mapOrder;
    this.fields = FieldsEncoding.of(schema, mapOrder, FloatForm.EXACT);
    this.buffer = new EncodingBuffer();
  }

  /** An encoding of rows of this schema. */
  public static RowEncoding of(Schema schema) {
    return new RowEncoding(schema, MapOrder.SORTED);
  }

  /** Sets the order of the entries of maps. Default: {@link MapOrder#SORTED}. */
  public RowEncoding withMapOrder(MapOrder mapOrder) {
    return new RowEncoding(schema, mapOrder);
  }

  /** The schema of the rows. */
  public Schema schema() {
    return schema;
  }

  /** The order of the entries of maps. */
  public MapOrder mapOrder() {
    return mapOrder;
  }

  /**
   * What has to be the same for stored bytes to mean the same: version, map order, names and types.
   * To be kept beside them.
   */
  public String description() {
    return "rows:" + VERSION + ":" + mapOrder + ":" + SchemaText.of(schema);
  }

  /**
   * The bytes of a row.
   *
   * @throws IllegalArgumentException if the row has another number of fields than the schema
   */
  public byte[] encode(Row row) {
    buffer.clear();
    encode(row, buffer);
    return buffer.toByteArray();
  }

  /** Adds the bytes of a row. */
  void encode(Row row, EncodingBuffer out) {
    fields.encode(row, out);
  }

  /**
   * The row with these bytes.
   *
   * @throws dev.tidemark.candidates.CorruptStateException if no row has exactly these bytes
   */
  public Row decode(byte[] bytes) {
    return decode(bytes, 0, bytes.length);
  }

  /**
   * The row with the bytes in a range of an array.
   *
   * @throws dev.tidemark.candidates.CorruptStateException if no row has exactly these bytes, or if
   *     the range lies outside of the array
   */
  public Row decode(byte[] bytes, int offset, int length) {
    DecodingCursor cursor = new DecodingCursor(bytes, offset, length);
    Row row = fields.decode(cursor);
    cursor.expectEnd();
    return row;
  }

  private Object readResolve() {
    return new RowEncoding(schema, mapOrder);
  }
}
