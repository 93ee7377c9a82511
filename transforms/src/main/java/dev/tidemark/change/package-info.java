/**
 * Changes of rows, and how they are read from Debezium's change events.
 *
 * <h2>Contract</h2>
 *
 * A {@link dev.tidemark.change.Change} is a {@linkplain dev.tidemark.change.ChangeKind kind} and a
 * row. {@link dev.tidemark.change.ParseDebezium} turns each record into all of its changes, or into
 * one failed record:
 *
 * <table>
 *   <caption>Events and changes</caption>
 *   <tr><th>event</th><th>changes</th></tr>
 *   <tr><td>snapshot read ({@code r}), create ({@code c})</td><td>+I</td></tr>
 *   <tr><td>update ({@code u})</td><td>+U; with full before images -U and +U</td></tr>
 *   <tr><td>delete ({@code d})</td><td>-D with the key only; with full before images, or without a key, the whole row</td></tr>
 *   <tr><td>change of a key</td><td>-D of the old key, +I of the new one, as the source reports it</td></tr>
 *   <tr><td>truncate ({@code t})</td><td>none, see {@link dev.tidemark.change.Truncates}</td></tr>
 *   <tr><td>tombstone, BEGIN, END, logical message ({@code m}), heartbeat</td><td>none; counted</td></tr>
 * </table>
 *
 * <h2>Order</h2>
 *
 * The changes of one key happened in the order of their {@linkplain dev.tidemark.change.LogPosition
 * log positions}, never in that of timestamps. Collections have no order, so that whoever folds
 * changes sorts by position, or by the column {@link dev.tidemark.change.ChangeMetadata#POSITION}
 * where rows are stored.
 *
 * <h2>Values that are not told</h2>
 *
 * With PostgreSQL's default replica identity the before image of a delete holds the key and, in
 * columns that must not be null, made-up values. They are dropped: such a change is not {@linkplain
 * dev.tidemark.change.Change#imageComplete() complete}, its other columns are null and {@linkplain
 * dev.tidemark.change.Change#unknownColumns() unknown}. Never take a partition value or an event
 * time from an unknown column. {@link dev.tidemark.change.UnavailableValues} says what becomes of
 * large values that an update left out. A column that a record lacks altogether, because it was
 * added later, is null or the declared default.
 *
 * <h2>Types</h2>
 *
 * What {@link dev.tidemark.change.DebeziumTable#fromSample} derives, and what can be declared:
 *
 * <table>
 *   <caption>PostgreSQL, Debezium and Beam types</caption>
 *   <tr><th>PostgreSQL</th><th>Debezium</th><th>Beam</th></tr>
 *   <tr><td>smallint, integer, bigint</td><td>int16, int32, int64</td><td>INT16, INT32, INT64</td></tr>
 *   <tr><td>real, double precision</td><td>float, double</td><td>FLOAT, DOUBLE</td></tr>
 *   <tr><td>boolean</td><td>boolean</td><td>BOOLEAN</td></tr>
 *   <tr><td>numeric(p, s)</td><td>Decimal: base64; a number with {@code decimal.format=NUMERIC}</td>
 *     <td>FixedPrecisionNumeric(p, s), or DECIMAL with a declared scale</td></tr>
 *   <tr><td>numeric</td><td>VariableScaleDecimal: {@code {scale, value}}</td><td>DECIMAL</td></tr>
 *   <tr><td>numeric, in mode string</td><td>string</td>
 *     <td>derived: STRING; declared: any of the above with {@code withDecimalsAsText()}</td></tr>
 *   <tr><td>timestamp with time zone</td><td>ZonedTimestamp: ISO text</td>
 *     <td>SqlTypes.TIMESTAMP (an instant, microseconds)</td></tr>
 *   <tr><td>timestamp</td><td>Timestamp, MicroTimestamp, NanoTimestamp, IsoTimestamp, Connect's Timestamp</td>
 *     <td>SqlTypes.DATETIME (local, nanoseconds)</td></tr>
 *   <tr><td>date</td><td>Date, IsoDate, Connect's Date</td><td>SqlTypes.DATE</td></tr>
 *   <tr><td>time, time with time zone</td><td>Time, MicroTime, NanoTime, IsoTime, ZonedTime, Connect's Time</td>
 *     <td>SqlTypes.TIME (nanoseconds; with a zone it is told in UTC)</td></tr>
 *   <tr><td>interval</td><td>MicroDuration: int64</td><td>INT64 (microseconds)</td></tr>
 *   <tr><td>uuid</td><td>Uuid: string</td><td>SqlTypes.UUID, or STRING</td></tr>
 *   <tr><td>bytea</td><td>bytes: base64</td><td>BYTES</td></tr>
 *   <tr><td>json, jsonb, xml, enum, text, varchar</td><td>string</td><td>STRING</td></tr>
 *   <tr><td>arrays, hstore, point and the like</td><td>array, map, struct</td><td>ARRAY, MAP, ROW</td></tr>
 * </table>
 *
 * Also accepted where declared: Timestamp.MILLIS, MICROS and NANOS, NanosInstant, the millisecond
 * type DATETIME, enumerations, fixed and variable strings and bytes. Values are never rounded,
 * clipped or guessed: what does not fit is a failed record.
 *
 * <h2>Metrics</h2>
 *
 * Counters of {@link dev.tidemark.change.ParseDebezium}.
 *
 * <p>Volume: {@code reads}, {@code creates}, {@code updates}, {@code deletes}, {@code truncates}
 * are events that were understood; {@code keyOnlyDeletes} are those deletes that told the key only;
 * {@code keyChanges} are creates that follow the delete of an old key (counted if records have
 * headers); {@code tombstones}, {@code transactionMarkers}, {@code logicalMessages}, {@code
 * heartbeats} are records that carry no change of a row.
 *
 * <p>Tripwires: {@code failedRecords} should be 0; each is in the failed output with its reason,
 * and its changes are missing.
 *
 * <p>Input health: {@code unavailableValues} are values that updates left out (whatever the policy
 * made of them; many mean that the table had better have {@code REPLICA IDENTITY FULL}); {@code
 * defaultedColumns} are absent columns that got their default; {@code otherTopics} are records
 * dropped because no table has their topic.
 */
package dev.tidemark.change;
