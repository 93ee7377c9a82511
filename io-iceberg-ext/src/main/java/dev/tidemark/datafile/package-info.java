/**
 * Data files: rows become the Parquet files of an Iceberg table, and come back. No Beam function is
 * here; {@link dev.tidemark.datafile.TableFileWriter} is what one of them holds for a bundle.
 *
 * <h2>Types</h2>
 *
 * Fields and columns are matched by name at every level, once, by {@link
 * dev.tidemark.datafile.RowSchemas#bind}. What a column takes, and what {@link
 * dev.tidemark.datafile.RowSchemas#toIceberg} makes of a field (marked *):
 *
 * <table>
 *   <caption>Fields that columns take</caption>
 *   <tr><th>Column</th><th>Fields of rows</th></tr>
 *   <tr><td>boolean</td><td>BOOLEAN*</td></tr>
 *   <tr><td>int</td><td>BYTE*, INT16*, INT32*</td></tr>
 *   <tr><td>long</td><td>BYTE, INT16, INT32, INT64*</td></tr>
 *   <tr><td>float</td><td>FLOAT*</td></tr>
 *   <tr><td>double</td><td>FLOAT, DOUBLE*</td></tr>
 *   <tr><td>decimal(p, s)</td><td>FixedPrecisionNumeric(p, s)*, DECIMAL</td></tr>
 *   <tr><td>date</td><td>SqlTypes.DATE*</td></tr>
 *   <tr><td>time</td><td>SqlTypes.TIME*</td></tr>
 *   <tr><td>timestamp, timestamp_ns</td><td>SqlTypes.DATETIME* (timestamp)</td></tr>
 *   <tr><td>timestamptz</td><td>SqlTypes.TIMESTAMP* (MicrosInstant), Timestamp(0 to 6)*, DATETIME*
 *       (milliseconds), Timestamp(7 to 9), NanosInstant</td></tr>
 *   <tr><td>timestamptz_ns</td><td>NanosInstant*, Timestamp(7 to 9)*, and the others above</td></tr>
 *   <tr><td>string</td><td>STRING*, FixedString*, VariableString*, EnumerationType* (its names)</td>
 *   </tr>
 *   <tr><td>uuid</td><td>SqlTypes.UUID*</td></tr>
 *   <tr><td>fixed(n)</td><td>FixedBytes(n)*, BYTES, VariableBytes</td></tr>
 *   <tr><td>binary</td><td>BYTES*, VariableBytes*, FixedBytes</td></tr>
 *   <tr><td>struct, list, map</td><td>ROW*, ARRAY* or ITERABLE*, MAP*</td></tr>
 * </table>
 *
 * Other pass-through logical types count as their base type. Everything else (OneOf, durations,
 * unknown logical types; unknown, variant, geometry and geography columns) is refused by name when
 * a writer is opened. An instant never becomes a time without zone, nor the reverse.
 *
 * <p>{@link dev.tidemark.datafile.RowSchemas#toBeam} is the inverse for all columns but
 * timestamp_ns, which becomes SqlTypes.DATETIME, a field type that holds its nanoseconds; its rows
 * can be written back, but a table made from it has a timestamp column.
 *
 * <p>Values are never rounded or cut: a decimal with a digit more than its column holds, a time
 * finer than microseconds in a column of microseconds, bytes of another length than a fixed
 * column's, a null in a required column or list is a {@link
 * dev.tidemark.datafile.RowRejectedException}. A row is checked as a whole before any file sees it.
 * Columns that rows lack are null, or the table's write default.
 *
 * <h2>Files</h2>
 *
 * One file per partition and bundle, unless it grows beyond the target size. At most {@code
 * maxOpenWriters} files are open; rows of further partitions wait in memory and then in a local
 * temporary file, grouped by partition, and are written one partition after another when the bundle
 * ends. A file that has seen no row for the last 100,000 gives way to a new partition, so that data
 * ordered by partition does not wait; should its partition come back, it has two files. Memory is
 * bounded by {@code maxBufferedBytes} for open files plus {@code spillBufferBytes}; above the
 * former the largest file is closed early. The temporary file is encrypted where the table is.
 *
 * <p>Partition values are those of Iceberg's own transforms and travel typed, null as null. Files
 * have the table's default spec, properties (codec, row group and page sizes, dictionaries, bloom
 * filters, metrics modes), encryption and locations. They are Parquet whatever the table's default
 * format, and keep rows in order of arrival: their sort order is "unsorted" also in sorted tables.
 *
 * <h2>Transport</h2>
 *
 * {@link dev.tidemark.datafile.DataFileCodec} is the stored form of a file's description, version
 * 1.
 */
package dev.tidemark.datafile;
