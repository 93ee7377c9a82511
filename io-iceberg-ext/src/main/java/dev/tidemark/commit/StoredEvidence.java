package dev.tidemark.commit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import dev.tidemark.finalization.Attestation;
import dev.tidemark.finalization.CommitFacts;
import dev.tidemark.finalization.LatenessReport;
import dev.tidemark.finalization.WriterWindow;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.util.SnapshotUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What one metadata version holds of a branch's watermark and of the evidence for it; for those who
 * only read.
 *
 * <p>Everything comes from that one version, so that answers fit together. Not thread-safe.
 */
public final class StoredEvidence {
  private static final long HOUR_MILLIS = 3_600_000L;

  /** How the stored watermark relates to what the branch holds. */
  public enum Standing {
    /** There is no watermark, or it was moved while the branch was empty. */
    NO_SNAPSHOT,
    /** The branch holds the snapshot whose evidence moved the watermark. */
    HELD,
    /** Expiry removed the snapshot, or the part of the ancestry that would lead to it. */
    UNVERIFIED,
    /** The branch does not descend from the snapshot: it was moved back or replaced. */
    ROLLED_BACK,
    /** The properties were copied from another table. */
    CLONE
  }

  private final TableMetadata base;
  private final TidemarkKeys keys;
  private final WatermarkState watermark;
  private final Lineage lineage;

  private StoredEvidence(TableMetadata base, TidemarkKeys keys) {
    this.base = base;
    this.keys = keys;
    this.watermark = WatermarkState.read(base, keys);
    this.lineage = new Lineage(base, keys.branch());
  }

  /**
   * Reads a metadata version.
   *
   * @throws IllegalArgumentException if the table has no such branch
   * @throws CommitException if the watermark cannot be read
   */
  public static StoredEvidence of(TableMetadata base, String branch) {
    TidemarkKeys keys = TidemarkKeys.forBranch(branch);
    SnapshotRef ref = base.ref(branch);
    boolean exists = ref == null ? branch.equals(TidemarkKeys.MAIN) : ref.isBranch();
    if (!exists) {
      throw new IllegalArgumentException(
          "Cannot read branch %s: the table has no such branch. Name one of %s."
              .formatted(branch, branches(base)));
    }
    return new StoredEvidence(base, keys);
  }

  /** The keys of the branch. */
  public TidemarkKeys keys() {
    return keys;
  }

  /** The watermark as stored, whether or not it counts: see {@link #standing}. */
  public WatermarkState watermark() {
    return watermark;
  }

  /** The newest snapshot of the branch; null if it is empty. */
  public @Nullable Snapshot head() {
    return SnapshotUtil.latestSnapshot(base, keys.branch());
  }

  /**
   * Whether the stored watermark still counts.
   *
   * <p>Where an expired snapshot is missing from an ancestry that is known down to its root, the
   * branch does not descend from it, and it counts as rolled back.
   */
  public Standing standing() {
    Long id = watermark.snapshotId();
    if (WatermarkState.isClone(watermark, base)) {
      return Standing.CLONE;
    } else if (id == null) {
      return Standing.NO_SNAPSHOT;
    } else if (snapshots().stream().anyMatch(snapshot -> isOrPicked(snapshot, id))) {
      return Standing.HELD;
    }
    Snapshot live = base.snapshot(id);
    Landing landing = live == null ? new Landing(id, 0) : Lineage.landing(live);
    return lineage.holds(landing) ? Standing.UNVERIFIED : Standing.ROLLED_BACK;
  }

  /** The known ancestors of the head and the head itself, newest first. */
  public ImmutableList<Snapshot> snapshots() {
    return ImmutableList.copyOf(lineage.all());
  }

  /** The writers that the table lists as required; empty if it lists none. */
  public ImmutableSet<String> requiredWriters() {
    return keys.requiredWriters(base.properties());
  }

  /** The writers with a window or an attestation, and those required, by name. */
  public ImmutableSortedSet<String> writers() {
    return ImmutableSortedSet.<String>naturalOrder()
        .addAll(requiredWriters())
        .addAll(named(keys.window("x")))
        .addAll(named(keys.attested("x")))
        .build();
  }

  /** The writers that the table has a record of commits of, by name; a reset leaves it. */
  public ImmutableSortedSet<String> committers() {
    return ImmutableSortedSet.<String>naturalOrder()
        .addAll(named(keys.committed("x")))
        .addAll(named(keys.committedBatch("x")))
        .build();
  }

  /** The writers that have a property of this kind, given the key of a writer called x. */
  private ImmutableSortedSet<String> named(String example) {
    String first = example.substring(0, example.length() - 1);
    ImmutableSortedSet.Builder<String> writers = ImmutableSortedSet.naturalOrder();
    for (String key : base.properties().keySet()) {
      if (key.startsWith(first)) {
        addWriter(key.substring(first.length()), writers);
      }
    }
    return writers.build();
  }

  /**
   * The facts of a writer's recent commits that the branch holds; null if there are none.
   *
   * @throws IllegalArgumentException if the stored window cannot be read
   */
  public @Nullable WriterWindow window(String writer) {
    WriterWindow window = WindowProperty.read(base.properties(), keys, writer);
    return window == null ? null : WindowProperty.held(window, lineage);
  }

  /**
   * What a writer attested last; null if it attested nothing.
   *
   * @throws IllegalArgumentException if the stored attestation cannot be read
   */
  public @Nullable Attestation attestation(String writer) {
    String text = base.properties().get(keys.attested(writer));
    return text == null ? null : AttestationText.fromText(text);
  }

  /**
   * What operators did to the branch's watermark, oldest first.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  public ImmutableList<OperatorAct> operatorActs() {
    return OperatorActs.read(base.properties(), keys);
  }

  /**
   * What a writer attested last, as far as it counts; null if there is nothing. After a rollback it
   * does not count until the writer has committed again, since what it vouches for is not there.
   */
  public @Nullable Attestation countedAttestation(String writer) {
    try {
      Attestation attestation = attestation(writer);
      Landing newest = CommittedRecord.newestLanding(base.properties(), keys, writer);
      return newest == null || lineage.holds(newest) ? attestation : null;
    } catch (IllegalArgumentException e) {
      // As the advance takes it: no evidence.
      return null;
    }
  }

  /** Whether the branch holds a snapshot; presumed where expiry removed what would tell. */
  public boolean holds(long snapshotId) {
    return lineage.holds(snapshotId);
  }

  /** The writer of a snapshot; null if it is a foreign one, or a mere fence. */
  public @Nullable String writer(Snapshot snapshot) {
    return Lineage.summary(snapshot).get(keys.writer());
  }

  /** The facts in a snapshot's summary; null if there are none that can be read. */
  public @Nullable CommitFacts facts(Snapshot snapshot) {
    String writer = writer(snapshot);
    return writer == null || !isWriterId(writer)
        ? null
        : FactsSummary.decode(keys, writer, snapshot);
  }

  /** A number in the event-time facts of a snapshot's summary; null if it is not there. */
  public @Nullable Long fact(Snapshot snapshot, String fact) {
    return number(Lineage.summary(snapshot).get(keys.eventTime(fact)));
  }

  private static @Nullable Long number(@Nullable String text) {
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      // Summaries are anybody's to write; what cannot be read is no fact.
      return null;
    }
  }

  /** The watermark that a snapshot's commit met, in epoch milliseconds; null if there was none. */
  public @Nullable Long watermarkBefore(Snapshot snapshot) {
    return WatermarkState.metBy(snapshot, keys);
  }

  /**
   * The watermark that a fence snapshot wrote, in epoch milliseconds; null for every other
   * snapshot.
   */
  public @Nullable Long watermarkWritten(Snapshot snapshot) {
    String note = Lineage.summary(snapshot).get(keys.advance());
    try {
      return note == null ? null : Instant.parse(note).toEpochMilli();
    } catch (DateTimeParseException | ArithmeticException e) {
      // A fence for other properties notes their names.
      return null;
    }
  }

  /** Whether a snapshot holds nothing and only fences a change of properties. */
  public boolean isFence(Snapshot snapshot) {
    return Lineage.summary(snapshot).containsKey(keys.advance());
  }

  /** How many rows a snapshot added; null if its summary does not tell. */
  public @Nullable Long addedRows(Snapshot snapshot) {
    return number(Lineage.summary(snapshot).get(SnapshotSummary.ADDED_RECORDS_PROP));
  }

  /** What a snapshot's commit brought below the watermark it met; null if nothing. */
  public @Nullable LatenessReport lateness(Snapshot snapshot) {
    CommitFacts facts = facts(snapshot);
    Long met = watermarkBefore(snapshot);
    return facts == null || met == null ? null : LatenessReport.of(facts, met, HOUR_MILLIS);
  }

  private static ImmutableSortedSet<String> branches(TableMetadata base) {
    ImmutableSortedSet.Builder<String> branches = ImmutableSortedSet.naturalOrder();
    branches.add(TidemarkKeys.MAIN);
    base.refs()
        .forEach(
            (name, ref) -> {
              if (ref.isBranch()) {
                branches.add(name);
              }
            });
    return branches.build();
  }

  private static boolean isOrPicked(Snapshot snapshot, long id) {
    return snapshot.snapshotId() == id
        || Long.toString(id)
            .equals(Lineage.summary(snapshot).get(SnapshotSummary.SOURCE_SNAPSHOT_ID_PROP));
  }

  private static void addWriter(String rest, ImmutableSortedSet.Builder<String> writers) {
    int chunk = rest.indexOf('.');
    String writer = chunk < 0 ? rest : rest.substring(0, chunk);
    if (isWriterId(writer)) {
      writers.add(writer);
    }
  }

  private static boolean isWriterId(String writer) {
    try {
      TidemarkKeys.checkWriterId(writer);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
