/**
 * Decides until when a table is complete: facts of commits, policies, the watermark rule and
 * lateness.
 *
 * <p>Everything here is a pure function of values (only {@link
 * dev.tidemark.finalization.LateAlerts} has state) and knows neither a runner nor a table format.
 *
 * <h2>What is promised</h2>
 *
 * <p>A watermark <em>W</em> (<em>finalized until</em>, exclusive, UTC) promises: no record with an
 * event time before W is expected any more. It rests on evidence, and each policy states in {@link
 * dev.tidemark.finalization.Policies} what it takes for granted. In particular {@code minOfMins},
 * the default, cannot see a source that delivers nothing; combine it with {@code inputWatermark}
 * where sources can pause. Besides:
 *
 * <ul>
 *   <li>Missing evidence means to wait: too few commits, too short a history, a commit without what
 *       the policy needs, a required writer that never committed, a proof of life that is too old.
 *   <li>The watermark never moves back, and never beyond the present.
 *   <li>A record that comes below the watermark anyway is counted in the lateness report of its
 *       commit, exactly once. Records before the sane range (a record of 1970) never hold the
 *       watermark back, and always count as late.
 *   <li>Nothing is claimed for hours before the first watermark, see {@link
 *       dev.tidemark.finalization.Claim}.
 * </ul>
 *
 * <h2>Order</h2>
 *
 * <p>A commit is judged in this order: its {@link dev.tidemark.finalization.LatenessReport} against
 * the watermark of the version it is made on; its facts enter its writer's {@link
 * dev.tidemark.finalization.WriterWindow} in the same commit; after the commit {@link
 * dev.tidemark.finalization.WatermarkRule} runs over the windows. Between the commit and the rule
 * anything may crash: facts are added once per snapshot, and the rule may run any number of times.
 *
 * <h2>Clocks</h2>
 *
 * <p>The time of a commit is its writer's. A lookback counts time between commits of one writer, so
 * that clocks of writers need not agree; one that jumps back makes the policy wait for up to the
 * lookback's duration. A proof of life is compared with the decider's clock and expires either way.
 */
package dev.tidemark.finalization;
