package dev.tidemark.examples.cdc;

import dev.tidemark.doris.DorisLoad;
import dev.tidemark.iceberg.LateData;
import dev.tidemark.iceberg.TableAdvance;
import dev.tidemark.iceberg.TableCommit;
import org.apache.beam.sdk.values.PCollection;

/**
 * What the pipeline tells of a table while it runs; each at least once.
 *
 * @param name the table's name
 * @param commits to its change table
 * @param advances of its finalization watermark
 * @param late data of it
 * @param loads into its table in Doris
 */
public record CdcTable(
    String name,
    PCollection<TableCommit> commits,
    PCollection<TableAdvance> advances,
    PCollection<LateData> late,
    PCollection<DorisLoad> loads) {}
