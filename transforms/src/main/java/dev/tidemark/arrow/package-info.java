/**
 * Rows as columns: record batches of Apache Arrow, and changes as them.
 *
 * <h2>Contract</h2>
 *
 * {@link dev.tidemark.arrow.RowAppender} writes rows into record batches, {@link
 * dev.tidemark.arrow.RowReader} reads them back; what was written is what is read. A {@link
 * dev.tidemark.arrow.ChangeBatch} is a record batch with the kind of change of each row, as an
 * element of a pipeline. {@link dev.tidemark.arrow.Gather} copies rows between batches without
 * looking at their values.
 *
 * <p>Values are never rounded, cut or moved to another zone. What a column cannot hold as it is
 * fails with {@link dev.tidemark.arrow.ValueRejectedException}, which names the column and not the
 * value; what no value of a type can be written to fails when the appender is made.
 *
 * <table>
 *   <caption>Types: what {@link dev.tidemark.arrow.ArrowSchemas} makes of a field, and what else
 *   the field can be written to</caption>
 *   <tr><th>field</th><th>column</th><th>also</th></tr>
 *   <tr><td>BYTE, INT16, INT32, INT64</td><td>Int of 8, 16, 32, 64 bits, signed</td><td>wider ones; Utf8, as decimal text</td></tr>
 *   <tr><td>FLOAT, DOUBLE</td><td>FloatingPoint, single or double</td><td>FLOAT: double</td></tr>
 *   <tr><td>DECIMAL with precision and scale, FixedPrecisionNumeric</td><td>Decimal of 128 bits; of 256 from precision 39 on</td><td>other precisions and scales; Utf8, if without fraction</td></tr>
 *   <tr><td>BOOLEAN</td><td>Bool</td><td></td></tr>
 *   <tr><td>STRING, FixedString, VariableString</td><td>Utf8</td><td></td></tr>
 *   <tr><td>EnumerationType</td><td>Utf8, the names</td><td>Int of 32 bits or more, the numbers</td></tr>
 *   <tr><td>BYTES, VariableBytes</td><td>Binary</td><td>FixedSizeBinary</td></tr>
 *   <tr><td>FixedBytes(n)</td><td>FixedSizeBinary(n)</td><td>Binary</td></tr>
 *   <tr><td>UUID</td><td>FixedSizeBinary(16)</td><td></td></tr>
 *   <tr><td>DATETIME</td><td>Timestamp, milliseconds, UTC</td><td>other units and zones; with {@link dev.tidemark.arrow.AppendOptions#withInstantsAt} without zone</td></tr>
 *   <tr><td>MicrosInstant, NanosInstant, Timestamp(p)</td><td>Timestamp, the unit by precision, UTC</td><td>as DATETIME</td></tr>
 *   <tr><td>SqlTypes.DATETIME</td><td>Timestamp, microseconds, without zone</td><td>other units</td></tr>
 *   <tr><td>SqlTypes.DATE</td><td>Date, days</td><td></td></tr>
 *   <tr><td>SqlTypes.TIME</td><td>Time, microseconds</td><td>other units</td></tr>
 *   <tr><td>ARRAY, ITERABLE</td><td>List</td><td></td></tr>
 *   <tr><td>MAP</td><td>Map; null keys are rejected</td><td></td></tr>
 *   <tr><td>ROW</td><td>Struct</td><td>some of the fields, in another order</td></tr>
 *   <tr><td>other logical types, also OneOf</td><td>as their base types</td><td></td></tr>
 * </table>
 *
 * <p>Rows are not read from unsigned integers, half floats, large or fixed-size lists, large texts
 * and bytes, views, unions, intervals, durations, dates in milliseconds, and dictionaries: they are
 * refused by name.
 *
 * <h2>Memory</h2>
 *
 * Record batches lie outside of the heap while they are open, and on it as {@code ChangeBatch}es.
 * All memory outside of it is of an allocator of {@link dev.tidemark.arrow.ArrowAllocators}, whose
 * {@code close} fails if something was not given back. Everything here that takes memory gives it
 * back when it fails.
 */
package dev.tidemark.arrow;
