package dev.tidemark.finalization;

import com.google.common.collect.ImmutableList;
import org.joda.time.Duration;

/**
 * The policies, and what each of them takes for granted.
 *
 * <p>No policy can know the future; each one holds under an assumption about the sources, and under
 * that assumption no admitted record comes below the watermark. Where the assumption fails the
 * watermark holds, and each record that came below it is counted in the {@link LatenessReport} of
 * its commit. In the following, a record is <em>within D</em> if it is committed no earlier than
 * its event time and at most the lookback's duration after it.
 */
public final class Policies {

  private Policies() {}

  /**
   * {@link #minOfMins(Lookback)} over {@linkplain Lookback#standard() six commits and 30 minutes}.
   */
  public static FinalizationPolicy minOfMins() {
    return minOfMins(Lookback.standard());
  }

  /**
   * The smallest event time of the lookback.
   *
   * <p>Assumes that <em>no source goes back behind everything it delivered during the
   * lookback</em>. That holds for sources that are within D. It also holds for sources any amount
   * behind that deliver in order and into every lookback.
   *
   * <p>It cannot see a source that delivers nothing for a whole lookback, for instance a paused
   * partition: once that one comes back its records are late. Combine it with {@link
   * #inputWatermark} where sources can pause: {@code allOf(minOfMins(), inputWatermark(holdback))}.
   */
  public static FinalizationPolicy minOfMins(Lookback lookback) {
    return new MinOfMins(lookback);
  }

  /**
   * The smallest of the commits' own quantiles {@code fraction}, for instance 0.01: stragglers that
   * make up less than that part of each commit do not hold the watermark back.
   *
   * <p>Assumes that <em>records are within D</em>; those that are not come late, which is what the
   * policy is for. It does not see a source that is further behind and delivers less than {@code
   * fraction} of a commit. The fractions 0.001, 0.01, 0.05, 0.5, 0.95 and 0.99 are recorded with
   * every commit; others need sketches in the window.
   *
   * @throws IllegalArgumentException unless {@code fraction} lies between 0 and 1, both excluded
   */
  public static FinalizationPolicy percentile(double fraction, Lookback lookback) {
    return new Percentile(fraction, lookback);
  }

  /**
   * The latest boundary below which the lookback holds at most {@code records} records, and never
   * beyond the last bucket it holds.
   *
   * <p>Assumes that <em>records are within D, and every commit holds more than {@code records} of
   * them</em>. Records that are not within D come late; the policy takes it that they remain as few
   * as the lookback shows. Uses exact counts.
   *
   * @throws IllegalArgumentException where {@code records} is negative
   */
  public static FinalizationPolicy lateBudget(long records, Lookback lookback) {
    return LateBudget.ofRecords(records, lookback);
  }

  /**
   * The latest boundary below which at most {@code fraction} of the lookback's records lie.
   *
   * <p>Assumes that <em>records are within D, and the commits at the lookback's start hold more
   * than {@code fraction} of all its records</em>; otherwise as {@link #lateBudget}.
   *
   * @throws IllegalArgumentException unless {@code fraction} lies between 0 and 1, both excluded
   */
  public static FinalizationPolicy lateBudgetFraction(double fraction, Lookback lookback) {
    return LateBudget.ofFraction(fraction, lookback);
  }

  /**
   * The input watermark that the writer attested last, minus {@code holdback}.
   *
   * <p>Assumes that <em>no record comes further behind the input watermark than {@code
   * holdback}</em>. It sees paused sources, since they hold the input watermark, and is as good as
   * the source's watermark is.
   *
   * @throws IllegalArgumentException unless {@code holdback} is 0 to 31 days
   */
  public static FinalizationPolicy inputWatermark(Duration holdback) {
    return new InputWatermark(holdback);
  }

  /**
   * The most careful of {@code policies}: waits if one of them waits, and takes the smallest
   * candidate.
   *
   * <p>Holds as soon as <em>the assumption of one of them holds</em>.
   *
   * @throws IllegalArgumentException where there is none
   */
  public static FinalizationPolicy allOf(FinalizationPolicy... policies) {
    return new AllOf(ImmutableList.copyOf(policies));
  }

  /**
   * Reads a policy as {@link FinalizationPolicy#describe} writes it. A lookback may be left out,
   * and so may its minimum: {@code minOfMins()}, {@code percentile(0.01, 6, PT30M)}, {@code
   * allOf(minOfMins(), inputWatermark(PT5M))}.
   *
   * @throws IllegalArgumentException where the text is not one of these policies; the message lists
   *     them
   */
  public static FinalizationPolicy parse(String text) {
    return parse(text, Lookback.standard());
  }

  /**
   * Reads a policy as {@link #parse(String)} does, with this lookback wherever the text leaves it
   * out.
   *
   * @throws IllegalArgumentException where the text is not one of these policies; the message lists
   *     them
   */
  public static FinalizationPolicy parse(String text, Lookback whereLeftOut) {
    return PolicyParser.parse(text, whereLeftOut);
  }
}
