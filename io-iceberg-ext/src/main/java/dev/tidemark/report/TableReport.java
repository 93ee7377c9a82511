package dev.tidemark.report;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import dev.tidemark.sensor.FinalizationReport;
import dev.tidemark.sensor.FinalizationTimeline;
import java.time.Instant;
import java.time.ZoneId;

/** How a table's watermark came about, as far as it is still stored. */
@AutoValue
public abstract class TableReport {
  /** The table as it is. */
  public abstract FinalizationReport table();

  /** The stretch of commit time that this is about. */
  public abstract Span span();

  /** The commits with facts in it, oldest first. */
  public abstract ImmutableList<CommitSpan> commits();

  /** The moves of the watermark in it, oldest first; the first is where it stood at the start. */
  public abstract ImmutableList<WatermarkStep> moves();

  /**
   * When commits went on and the watermark did not, for longer than two of its steps; oldest first.
   */
  public abstract ImmutableList<WatermarkHold> holds();

  /** By how much records came after their hour. */
  public abstract ImmutableList<DelayClass> delays();

  /** Records in none of {@link #delays()}, since no counts per hour are stored of them. */
  public abstract long unplacedRecords();

  /** The hours of event time that commits or watermark touched, oldest first. */
  public abstract ImmutableList<ReportedHour> hours();

  /** Hours with records before the first of {@link #hours()}, which are not listed. */
  public abstract int hoursLeftOut();

  /** What each writer brought. */
  public abstract ImmutableList<WriterTotals> writers();

  /** All late records. */
  public abstract LateCount late();

  /** Whether the table had snapshots before the first one that is known. */
  public abstract boolean cut();

  /** What is not known, for people. */
  public abstract ImmutableList<String> notices();

  /** When this was put together. */
  public abstract Instant madeAt();

  /** Reports on a stretch of a timeline. */
  public static TableReport of(FinalizationTimeline timeline, Span span, Instant now) {
    return new Reporting(timeline, span, now).report();
  }

  /** A page of its own, with times in a zone. */
  public final String toHtml(ZoneId zone) {
    return ReportPage.of(this, zone);
  }

  static Builder builder() {
    return new AutoValue_TableReport.Builder();
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setTable(FinalizationReport table);

    abstract Builder setSpan(Span span);

    abstract Builder setCommits(ImmutableList<CommitSpan> commits);

    abstract Builder setMoves(ImmutableList<WatermarkStep> moves);

    abstract Builder setHolds(ImmutableList<WatermarkHold> holds);

    abstract Builder setDelays(ImmutableList<DelayClass> delays);

    abstract Builder setUnplacedRecords(long records);

    abstract Builder setHours(ImmutableList<ReportedHour> hours);

    abstract Builder setHoursLeftOut(int hours);

    abstract Builder setWriters(ImmutableList<WriterTotals> writers);

    abstract Builder setLate(LateCount late);

    abstract Builder setCut(boolean cut);

    abstract Builder setNotices(ImmutableList<String> notices);

    abstract Builder setMadeAt(Instant at);

    abstract TableReport build();
  }
}
