package dev.tidemark.operator;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.FencedProperties;
import dev.tidemark.commit.OperatorAct;
import dev.tidemark.commit.OperatorActs;
import dev.tidemark.commit.PropertyChange;
import dev.tidemark.commit.Sleeper;
import dev.tidemark.commit.TableAccess;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.sensor.Finalization;
import dev.tidemark.sensor.FinalizationException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Does to a table's watermark what only people decide. Each act takes a reason, and is recorded in
 * the table with it; see the package for what it guarantees.
 *
 * <p>Immutable. All acts throw {@link OperatorException} if they are refused, {@link
 * dev.tidemark.commit.CommitException} if the table could not be written, or is not known to be,
 * and {@link IllegalArgumentException} for a reason or a name that is empty, long or not on one
 * line.
 */
public final class TableOperator {
  private static final Duration QUIET = Duration.ofHours(1);

  private final Supplier<TableAccess> access;
  private final TableIdentifier table;
  private final TidemarkKeys keys;
  private final String by;
  private final Clock clock;
  private final Sleeper sleeper;

  private TableOperator(
      Supplier<TableAccess> access,
      TableIdentifier table,
      TidemarkKeys keys,
      String by,
      Clock clock,
      Sleeper sleeper) {
    this.access = access;
    this.table = table;
    this.keys = keys;
    this.by = by;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /** Acts on the main branch of a table, in the name of the user that runs this process. */
  public static TableOperator of(CatalogConfig catalog, TableIdentifier table) {
    return of(() -> TableAccess.of(Access.to(catalog, table, CatalogConfig::catalog)), table);
  }

  /** As {@link #of(CatalogConfig, TableIdentifier)}, through what stays the caller's. */
  public static TableOperator of(TableAccess access, TableIdentifier table) {
    return of(() -> access, table);
  }

  private static TableOperator of(Supplier<TableAccess> access, TableIdentifier table) {
    return new TableOperator(
        access,
        table,
        TidemarkKeys.main(),
        System.getProperty("user.name", "unknown"),
        Clock.systemUTC(),
        Sleeper.threads());
  }

  /**
   * Acts on another branch.
   *
   * @throws IllegalArgumentException if it cannot be the name of a branch with a watermark
   */
  public TableOperator branch(String branch) {
    return new TableOperator(access, table, TidemarkKeys.forBranch(branch), by, clock, sleeper);
  }

  /** Acts in somebody's name, of 1 to 64 characters. */
  public TableOperator by(String name) {
    return new TableOperator(access, table, keys, name, clock, sleeper);
  }

  /** Acts with another clock. */
  public TableOperator withClock(Clock other) {
    return new TableOperator(access, table, keys, by, other, sleeper);
  }

  /** Acts with another way to pause between attempts. */
  public TableOperator withSleeper(Sleeper other) {
    return new TableOperator(access, table, keys, by, clock, other);
  }

  /**
   * Moves the watermark back to {@code to}, or takes it away (null), and pauses the table, so that
   * it stays there until it is {@linkplain #resume resumed}. Evidence from before this does not
   * count any more: after a resume the policy needs a whole lookback of new commits.
   */
  public OperatorOutcome reset(@Nullable Instant to, String reason) {
    return reset(to, reason, false, false);
  }

  /**
   * As {@link #reset(Instant, String)}.
   *
   * @param force whether the watermark may move forward, too; {@code to} must have passed
   * @param goOn whether the table is not paused by this: the watermark moves on as soon as evidence
   *     from after the reset lets the policy move it. A pause from before stays.
   */
  public OperatorOutcome reset(@Nullable Instant to, String reason, boolean force, boolean goOn) {
    Instant millis = to == null ? null : Instant.ofEpochMilli(to.toEpochMilli());
    return act(
        "reset",
        reason,
        base -> Acts.reset(base, millis, force, goOn ? null : "reset: " + reason, clock.instant()));
  }

  /** Keeps the watermark where it is. Data are committed as before. */
  public OperatorOutcome pause(String reason) {
    return act("pause", reason, base -> Acts.pause(base, reason));
  }

  /** Lets the watermark move again, of a paused table or of a disabled one. */
  public OperatorOutcome resume(String reason) {
    return act("resume", reason, base -> Acts.resume(base, clock.millis()));
  }

  /** Requires a writer's evidence from now on. */
  public OperatorOutcome addWriter(String writer, String reason) {
    TidemarkKeys.checkWriterId(writer);
    return act("add-writer", reason, base -> Acts.addWriter(base, writer, clock.millis()));
  }

  /** Does not wait for a writer any more. */
  public OperatorOutcome retireWriter(String writer, String reason) {
    TidemarkKeys.checkWriterId(writer);
    return act("retire-writer", reason, base -> Acts.retireWriter(base, writer, clock.millis()));
  }

  /** As {@link #disable(String, boolean, Duration)}, unless a writer was heard of for an hour. */
  public OperatorOutcome disable(String reason) {
    return disable(reason, false, QUIET);
  }

  /**
   * Takes watermark, policy, writers and evidence from the table, so that nothing waits on it:
   * sensors say at once that it is disabled. Pipelines go on committing data and move no watermark
   * until the table is {@linkplain #resume resumed}. Their record of what was committed stays.
   *
   * @param force whether to do so although a pipeline writes
   * @param quiet for how long no writer must have been heard of
   */
  public OperatorOutcome disable(String reason, boolean force, Duration quiet) {
    return act(
        "disable",
        reason,
        base -> Acts.disable(base, reason, force, quiet.toMillis(), clock.millis()));
  }

  /**
   * Moves the watermark of this base table as far as its change tables were finalized when it
   * consumed them; never back, and never beyond. Not recorded as an act, since it is repeated after
   * each merge.
   *
   * @param sources the change table of each source that the base table has recorded, by the
   *     source's name
   */
  public OperatorOutcome copyWatermark(Map<String, Finalization> sources) {
    return act("copy-watermark", null, new WatermarkCopy(sources)::act);
  }

  /** As {@link #copyWatermark(Map)} of a base table that has recorded a single source. */
  public OperatorOutcome copyWatermark(Finalization source) {
    return act("copy-watermark", null, WatermarkCopy.ofOnly(source)::act);
  }

  private OperatorOutcome act(String verb, @Nullable String reason, Function<Base, Act> rule) {
    if (reason != null) {
      OperatorAct.of(verb, clock.instant(), by, reason, null, null);
    }
    Attempts attempts = new Attempts(verb, reason, rule);
    new FencedProperties(access.get(), clock, sleeper).update(table, keys.branch(), attempts::from);
    return attempts.outcome();
  }

  /** The attempts at an act; the last one that wrote something, or found nothing to do, counts. */
  private final class Attempts {
    private final String verb;
    private final @Nullable String reason;
    private final Function<Base, Act> rule;
    private @Nullable OperatorOutcome tried;
    private @Nullable OperatorOutcome last;
    private @Nullable RuntimeException refusal;

    Attempts(String verb, @Nullable String reason, Function<Base, Act> rule) {
      this.verb = verb;
      this.reason = reason;
      this.rule = rule;
    }

    PropertyChange from(TableMetadata metadata) {
      refusal = null;
      try {
        return change(Base.of(table, metadata, keys.branch()));
      } catch (OperatorException | FinalizationException e) {
        // Thrown from here it would be taken for a failure of the catalog, and tried again.
        refusal = e;
        return PropertyChange.builder().build();
      }
    }

    private PropertyChange change(Base base) {
      OperatorOutcome earlier = tried;
      if (earlier != null && isRecorded(base, earlier)) {
        // The answer to the attempt before was lost, but not the attempt.
        last = earlier;
        return PropertyChange.builder().build();
      }
      Act act = rule.apply(base);
      PropertyChange.Builder change = act.change();
      boolean changes = !change.build().isEmpty();
      OperatorAct record = null;
      if (changes && reason != null) {
        record = OperatorAct.of(verb, clock.instant(), by, reason, act.before(), act.after());
        OperatorActs.append(record, base.properties(), keys, change);
      }
      last = OperatorOutcome.of(changes, act.effect(), base.until(), act.until(), record);
      tried = changes ? last : tried;
      return change.build();
    }

    private boolean isRecorded(Base base, OperatorOutcome outcome) {
      OperatorAct act = outcome.act();
      try {
        return act != null && base.evidence().operatorActs().contains(act);
      } catch (IllegalArgumentException e) {
        return false;
      }
    }

    OperatorOutcome outcome() {
      if (refusal != null) {
        throw refusal;
      }
      OperatorOutcome outcome = last;
      OperatorOutcome earlier = tried;
      if (outcome == null) {
        throw new IllegalStateException("Cannot tell what became of " + verb);
      }
      // An act without a record that landed unnoticed is known by where the watermark is.
      boolean landed =
          earlier != null
              && reason == null
              && Objects.equals(earlier.watermarkAfter(), outcome.watermarkBefore());
      return !outcome.changed() && landed ? earlier : outcome;
    }
  }
}
