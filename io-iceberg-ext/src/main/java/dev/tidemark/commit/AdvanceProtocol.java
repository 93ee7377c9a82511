package dev.tidemark.commit;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import dev.tidemark.finalization.Advance;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.Evidence;
import dev.tidemark.finalization.WatermarkRule;
import dev.tidemark.finalization.WriterWindow;
import java.time.Clock;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the finalization watermark of a table as far as the stored evidence allows, and never back.
 *
 * <p>Idempotent, and safe to run from several writers at once: each attempt reads windows,
 * attestations and the watermark from one base, and writes on that base or not at all ({@link
 * FencedProperties}). Nothing is written where nothing changes.
 */
public final class AdvanceProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(AdvanceProtocol.class);

  private final TableAccess access;
  private final FencedProperties properties;
  private final Clock clock;

  /** A protocol with its own clock and its own way to wait. */
  public AdvanceProtocol(TableAccess access, Clock clock, Sleeper sleeper) {
    this.access = access;
    this.properties = new FencedProperties(access, clock, sleeper);
    this.clock = clock;
  }

  /** A protocol for a catalog, which stays the caller's. */
  public static AdvanceProtocol of(Catalog catalog) {
    return new AdvanceProtocol(TableAccess.of(catalog), Clock.systemUTC(), Sleeper.threads());
  }

  /**
   * Moves the watermark if the evidence allows.
   *
   * @throws CommitException if the table cannot be read, is another one, or is not known to be
   *     written; a table that takes no properties is an outcome ({@link
   *     AdvanceOutcome.Status#FAILING}), not an exception
   */
  public AdvanceOutcome advance(TableIdentifier table, AdvanceRequest request) {
    TidemarkKeys keys = TidemarkKeys.forBranch(request.branch());
    Calculation calculation = new Calculation(table, request, keys);
    AdvanceOutcome.Status status = null;
    String failure = null;
    try {
      properties.update(table, request.branch(), calculation::from);
    } catch (CommitException e) {
      if (e.kind() != CommitException.Kind.FORBIDDEN || calculation.advance == null) {
        throw e;
      }
      LOG.warn("Table {} takes no properties, so its watermark cannot move", table, e);
      status = AdvanceOutcome.Status.FAILING;
      failure = e.getMessage();
    }
    return calculation.outcome(status, failure);
  }

  /**
   * What is to be written to one table; remembers the last base it saw, and the first move it made
   * of it.
   */
  private final class Calculation {
    private final TableIdentifier table;
    private final AdvanceRequest request;
    private final TidemarkKeys keys;
    private @Nullable TableMetadata base;
    private @Nullable Advance advance;
    private @Nullable Advance attempted;
    private @Nullable String pausedReason;
    private @Nullable WatermarkState state;
    private boolean attested;

    Calculation(TableIdentifier table, AdvanceRequest request, TidemarkKeys keys) {
      this.table = table;
      this.request = request;
      this.keys = keys;
    }

    @Nullable PropertyChange from(TableMetadata current) {
      base = current;
      refuseOtherTable(current);
      WatermarkState stored = WatermarkState.read(current, keys);
      state = stored;
      boolean clone = WatermarkState.isClone(stored, current);
      ImmutableSet<String> required = required(current);
      long nowMillis = clock.millis();
      Attestation own = newestOwn(current);
      Evidence evidence = evidence(current, required, own, nowMillis, clone ? null : stored);
      Advance next =
          WatermarkRule.next(
              request.policy(),
              writer -> request.writerIdle().getOrDefault(writer, request.idle()),
              evidence);
      advance = next;
      pausedReason = stored.heldReason();
      PropertyChange.Builder change = PropertyChange.builder();
      boolean moves = next.moved() && next.afterMillis() != null && pausedReason == null;
      if (moves) {
        attempted = next;
        writeMove(current, next, clone, required, change);
      }
      if (own != null
          && own.equals(request.attestation())
          && isDue(current, required, own, moves)) {
        change.set(keys.attested(request.writerId()), AttestationText.toText(own));
      }
      PropertyChange different = change.against(current.properties());
      attested = attested || different.sets().containsKey(keys.attested(request.writerId()));
      return different;
    }

    private void writeMove(
        TableMetadata current,
        Advance next,
        boolean clone,
        ImmutableSet<String> required,
        PropertyChange.Builder change) {
      long until = next.afterMillis();
      change
          .set(keys.finalizedUntil(), WatermarkState.text(until))
          .set(keys.finalizedUntilMillis(), Long.toString(until))
          .set(keys.finalizedUntilTableUuid(), current.uuid())
          .set(keys.policy(), request.policy().describe())
          .note(WatermarkState.text(until));
      Snapshot head = SnapshotUtil.latestSnapshot(current, request.branch());
      if (head == null) {
        change.remove(keys.finalizedUntilSnapshotId());
      } else {
        change.set(keys.finalizedUntilSnapshotId(), Long.toString(head.snapshotId()));
      }
      boolean sinceKnown = !clone && current.properties().containsKey(keys.finalizedSince());
      if (!sinceKnown && next.sinceMillis() != null) {
        change.set(keys.finalizedSince(), WatermarkState.text(next.sinceMillis()));
      }
      if (required.size() > 1) {
        change.set(keys.writers(), Joiner.on(',').join(ImmutableSortedSet.copyOf(required)));
      }
    }

    private Evidence evidence(
        TableMetadata current,
        ImmutableSet<String> required,
        @Nullable Attestation own,
        long nowMillis,
        @Nullable WatermarkState known) {
      Evidence evidence =
          Evidence.at(nowMillis)
              .withRequiredWriters(required)
              .withGranularityMillis(request.granularityMillis());
      if (known != null) {
        evidence = evidence.withStored(known.finalizedUntilMillis(), known.finalizedSinceMillis());
      }
      Lineage lineage = new Lineage(current, request.branch());
      for (String writer : required) {
        WriterWindow window = window(current, lineage, writer);
        if (window != null) {
          evidence = evidence.withWindow(window);
        }
        Attestation attestation =
            writer.equals(request.writerId()) ? own : attestation(current, writer);
        if (attestation != null && holdsNewest(current, lineage, writer)) {
          evidence = evidence.withAttestation(writer, attestation);
        }
      }
      return evidence;
    }

    /**
     * An attestation vouches that everything received before it is in the table. After a rollback,
     * or in a table that was created again, it is not until the writer has committed again.
     */
    private boolean holdsNewest(TableMetadata current, Lineage lineage, String writer) {
      try {
        Landing newest = CommittedRecord.newestLanding(current.properties(), keys, writer);
        return newest == null
            ? !(request.committedBefore() && writer.equals(request.writerId()))
            : lineage.holds(newest);
      } catch (IllegalArgumentException e) {
        LOG.warn("Cannot read what writer {} committed to table {}", writer, table, e);
        return false;
      }
    }

    private @Nullable WriterWindow window(TableMetadata current, Lineage lineage, String writer) {
      try {
        WriterWindow window = WindowProperty.read(current.properties(), keys, writer);
        return window == null ? null : WindowProperty.held(window, lineage);
      } catch (IllegalArgumentException e) {
        // No evidence: the watermark waits until the writer's next commits have replaced the
        // window.
        LOG.warn(
            "Cannot read the window of writer {} of table {}: waiting for a new one",
            writer,
            table,
            e);
        return null;
      }
    }

    private @Nullable Attestation attestation(TableMetadata current, String writer) {
      String text = current.properties().get(keys.attested(writer));
      if (text == null) {
        return null;
      }
      try {
        return counted(AttestationText.fromText(text));
      } catch (IllegalArgumentException e) {
        LOG.warn("Cannot read what writer {} of table {} attested: ignoring it", writer, table, e);
        return null;
      }
    }

    /** Nothing if the watermark was reset since: whoever did that did not know better by it. */
    private @Nullable Attestation counted(Attestation attestation) {
      return state == null || state.counts(attestation.atMillis()) ? attestation : null;
    }

    private @Nullable Attestation newestOwn(TableMetadata current) {
      Attestation stored = attestation(current, request.writerId());
      Attestation sent = request.attestation();
      Attestation given = sent == null ? null : counted(sent);
      if (given == null) {
        return stored;
      }
      return stored == null || given.atMillis() >= stored.atMillis() ? given : stored;
    }

    /**
     * Others that require this writer see only what is stored; a lone writer has no reader for it.
     */
    private boolean isDue(
        TableMetadata current, ImmutableSet<String> required, Attestation own, boolean moves) {
      if (!required.contains(request.writerId())) {
        return false;
      }
      Attestation stored = attestation(current, request.writerId());
      return moves
          || (required.size() > 1
              && (stored == null
                  || own.atMillis() - stored.atMillis() >= request.attestEveryMillis()));
    }

    private ImmutableSet<String> required(TableMetadata current) {
      try {
        ImmutableSet<String> listed = keys.requiredWriters(current.properties());
        return listed.isEmpty() ? request.requiredWriters() : listed;
      } catch (IllegalArgumentException e) {
        throw new CommitException(
            CommitException.Kind.RECORD_UNREADABLE,
            "Cannot advance table %s: property %s is unreadable: %s. List writer ids separated by commas."
                .formatted(table, keys.writers(), e.getMessage()),
            e);
      }
    }

    private void refuseOtherTable(TableMetadata current) {
      if (request.tableUuid() != null && !request.tableUuid().equals(current.uuid())) {
        throw new CommitException(
            CommitException.Kind.TABLE_RECREATED,
            "Cannot advance table %s: it was dropped and created again (UUID %s, expected %s). Restart the pipeline without old state."
                .formatted(table, current.uuid(), request.tableUuid()));
      }
    }

    AdvanceOutcome outcome(AdvanceOutcome.@Nullable Status forced, @Nullable String failure) {
      TableMetadata seen = java.util.Objects.requireNonNull(base);
      Advance last = java.util.Objects.requireNonNull(advance);
      // After a lost acknowledgement the last base holds the move already; it is reported all the
      // same.
      Advance reported = !last.moved() && isLanded(last) ? attempted : last;
      Snapshot head = SnapshotUtil.latestSnapshot(seen, request.branch());
      Long after =
          forced == null && pausedReason == null ? reported.afterMillis() : reported.beforeMillis();
      AdvanceOutcome.Status status = forced == null ? status(reported) : forced;
      return AdvanceOutcome.builder()
          .setStatus(status)
          .setTableUuid(seen.uuid())
          .setWatermarkSnapshotId(
              status == AdvanceOutcome.Status.MOVED && head != null
                  ? (Long) head.snapshotId()
                  : WatermarkState.read(seen, keys).snapshotId())
          .setSinceMillis(reported.sinceMillis())
          .setBeforeMillis(reported.beforeMillis())
          .setAfterMillis(after)
          .setReason(reason(reported, failure))
          .setPerWriter(reported.perWriter())
          .setAttested(attested && forced == null)
          .setHeadSnapshotId(head == null ? null : head.snapshotId())
          .setForeignBelow(foreign(seen, after))
          .build();
    }

    private boolean isLanded(Advance last) {
      return attempted != null
          && attempted.afterMillis() != null
          && attempted.afterMillis().equals(last.beforeMillis());
    }

    private String reason(Advance reported, @Nullable String failure) {
      if (failure != null) {
        return failure;
      }
      return pausedReason == null ? reported.reason() : "Paused: " + pausedReason;
    }

    private AdvanceOutcome.Status status(Advance reported) {
      if (pausedReason != null || (!reported.moved() && reported.isWaiting())) {
        return AdvanceOutcome.Status.WAITING;
      }
      return reported.moved() ? AdvanceOutcome.Status.MOVED : AdvanceOutcome.Status.UNCHANGED;
    }

    private ImmutableList<ForeignAppend> foreign(TableMetadata seen, @Nullable Long watermark) {
      EventTimeColumn column = request.eventTimeColumn();
      if (column == null || watermark == null) {
        return ImmutableList.of();
      }
      Long since =
          request.seenSnapshotId() == null
              ? WatermarkState.read(seen, keys).snapshotId()
              : request.seenSnapshotId();
      return ForeignAppends.below(
          seen, access.operations(table).io(), request.branch(), since, column, watermark);
    }
  }
}
