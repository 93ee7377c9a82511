/**
 * What operators do to a watermark: reset it, pause and resume it, add and retire writers, disable
 * a table, copy the watermark of change tables to their base table, and examine a table. Needs no
 * Beam.
 *
 * <pre>{@code
 * TableOperator operator =
 *     TableOperator.of(catalog, TableIdentifier.of("db", "events")).by("ana");
 * operator.pause("source audit until Monday");
 * operator.resume("audit passed");
 * }</pre>
 *
 * <h2>Guarantees</h2>
 *
 * <p>Each act is computed from one metadata version and lands on that version or not at all ({@link
 * dev.tidemark.commit.FencedProperties}), so that no concurrent commit or advance is lost, and none
 * loses the act. What was done, by whom, when, why, what was before and what is after is recorded
 * by the same commit ({@link dev.tidemark.commit.OperatorActs}). An act that changes nothing writes
 * nothing.
 *
 * <p>{@linkplain dev.tidemark.operator.TableOperator#reset Reset} alone moves a watermark back. A
 * pipeline that runs meanwhile cannot undo it by what it knows: windows of facts and attestations
 * from before the reset do not count any more, in the table and in the pipeline's memory, and
 * unless asked otherwise the watermark stays where it was put until somebody resumes it.
 *
 * <h2>Clocks</h2>
 *
 * <p>A reset is compared with attestations by the clock of whoever resets and that of the writer.
 * Where the writer's runs ahead, an attestation from before the reset may count as one from after
 * it, by as much as the clocks differ; a paused reset is safe from that.
 */
package dev.tidemark.operator;
