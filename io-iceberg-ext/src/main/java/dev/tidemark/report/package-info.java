/**
 * Reports and simulations: how a table's watermark came about, and what other rules would have made
 * of the same facts. Needs no Beam.
 *
 * <pre>{@code
 * FinalizationTimeline timeline = Finalization.of(catalog, table).timeline();
 * String page = TableReport.of(timeline, Span.ALL, Instant.now()).toHtml(ZoneOffset.UTC);
 * Simulation simulation =
 *     Simulation.of(
 *         timeline,
 *         SimulationRules.of(Policies.parse("minOfMins(12, PT1H)")),
 *         Instant.now());
 * }</pre>
 *
 * <h2>What they rest on</h2>
 *
 * <p>A {@linkplain dev.tidemark.sensor.FinalizationTimeline timeline}: the metadata files that are
 * left, and before those the summaries of the snapshots that are left. Nothing is read but metadata
 * files, and nothing is written. Data, and which numbers a page has of them, are apart: a {@link
 * dev.tidemark.report.TableReport} and a {@link dev.tidemark.report.Simulation} are values, of
 * which a page is one form.
 *
 * <h2>What is exact</h2>
 *
 * <p>Counts of late records are, wherever a commit's counts per hour are stored: by the rule of the
 * commit stage, {@link dev.tidemark.finalization.LatenessReport}. Elsewhere they are bounds. A
 * watermark that is not stored for a point lies between those of its neighbours, since it never
 * moves back. A simulated decision that what is stored does not suffice to repeat is bounded by its
 * time. Whatever is a bound, and whatever is not known, is said: on the page and in the value's
 * notices.
 *
 * <h2>Simulation</h2>
 *
 * <p>The policy runs by {@link dev.tidemark.finalization.WatermarkRule} at each point of the
 * timeline in order, on windows that are built as the commit stage builds them, and on what writers
 * had attested. By the rules that were in force it therefore gives the watermark that the table had
 * ({@code RowsReportTest}, {@code WeekTest}).
 *
 * <h2>Pages</h2>
 *
 * <p>A page is one file, without a script and without anything that it would load. All that comes
 * from a table passes through one place that escapes it.
 */
package dev.tidemark.report;
