package dev.tidemark.commit;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Sets;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The one owner of every key that Tidemark stores in a table: snapshot summary entries (facts) and
 * table properties (opinions and the protocol's memory).
 *
 * <p>All keys start with {@code tidemark.}. Those of another branch than {@code main} start with
 * {@code tidemark.<branch>.}, so that what happens on a branch never moves the watermark of another
 * one. Names are kebab-case; times in table properties are ISO-8601 instants in UTC unless the name
 * ends in {@code -ms}, times in summaries are decimal epoch milliseconds.
 */
public final class TidemarkKeys {
  /** What every key starts with. */
  public static final String PREFIX = "tidemark.";

  /** The branch whose keys carry no branch name. */
  public static final String MAIN = "main";

  private static final Pattern WRITER = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern BRANCH = Pattern.compile("[A-Za-z0-9_./-]{1,128}");
  private static final ImmutableSet<String> RESERVED =
      ImmutableSet.of(
          "acc",
          "advance",
          "attested",
          "committed",
          "committed-batch",
          "committed-record",
          "disabled",
          "event-time",
          "fence",
          "finalized-since",
          "finalized-until",
          "finalized-until-ms",
          "finalized-until-snapshot-id",
          "finalized-until-table-uuid",
          "main",
          "merged",
          "operation",
          "operations",
          "paused",
          "policy",
          "reset-at",
          "rewind",
          "source",
          "window",
          "writer",
          "writers");

  private final String branch;
  private final String prefix;

  private TidemarkKeys(String branch) {
    this.branch = branch;
    this.prefix = branch.equals(MAIN) ? PREFIX : PREFIX + branch + ".";
  }

  /** The keys of the main branch. */
  public static TidemarkKeys main() {
    return new TidemarkKeys(MAIN);
  }

  /**
   * The keys of a branch.
   *
   * @throws IllegalArgumentException if keys of that branch could be taken for keys of another one
   */
  public static TidemarkKeys forBranch(String branch) {
    if (branch.equals(MAIN)) {
      return main();
    }
    if (!BRANCH.matcher(branch).matches()) {
      throw new IllegalArgumentException(
          "Invalid branch: %s (must match %s)".formatted(branch, BRANCH.pattern()));
    }
    for (String segment : branch.split("\\.", -1)) {
      if (segment.isEmpty() || RESERVED.contains(segment)) {
        throw new IllegalArgumentException(
            "Invalid branch: %s (no part between dots may be empty or one of %s)"
                .formatted(branch, RESERVED));
      }
    }
    return new TidemarkKeys(branch);
  }

  /**
   * Checks the name of a writer.
   *
   * @throws IllegalArgumentException unless it has 1 to 64 letters, digits, {@code _} or {@code -}
   */
  public static String checkWriterId(String writerId) {
    if (!WRITER.matcher(writerId).matches()) {
      throw new IllegalArgumentException(
          "Invalid writer id: %s (must match %s)".formatted(writerId, WRITER.pattern()));
    }
    return writerId;
  }

  /** The branch whose keys these are. */
  public String branch() {
    return branch;
  }

  // Snapshot summary.

  /** Summary: the writer whose results a snapshot holds. */
  public String writer() {
    return prefix + "writer";
  }

  /**
   * Summary: which results, as sequence ranges ({@code 5-8,10}) or {@code batch:<run>:<window>}.
   */
  public String committed() {
    return prefix + "committed";
  }

  /** Summary: the committed record itself, only where the table takes no property writes. */
  public String committedRecord() {
    return prefix + "committed-record";
  }

  /** Summary: {@code accepted} if the commit went on behind results the table held already. */
  public String rewind() {
    return prefix + "rewind";
  }

  /** Summary of an empty snapshot that fences a property write: what was written. */
  public String advance() {
    return prefix + "advance";
  }

  /** Summary of an empty snapshot that fences an operator's act: the act. */
  public String operation() {
    return prefix + "operation";
  }

  /** Summary: an event-time fact, such as {@code count}, {@code min}, {@code q050}. */
  public String eventTime(String fact) {
    return prefix + "event-time." + fact;
  }

  /** Summary: an entry of an accumulator. */
  public String accumulator(String entry) {
    return prefix + "acc." + entry;
  }

  /** Summary of a base table: which snapshots of which sources were merged. */
  public String merged() {
    return prefix + "merged";
  }

  // Table properties; finalizedUntil() is also the summary entry with the watermark a commit met.

  /**
   * Property: the finalization watermark, exclusive. Summary: the one in force before the commit.
   */
  public String finalizedUntil() {
    return prefix + "finalized-until";
  }

  /** Property, derived: the watermark in epoch milliseconds. */
  public String finalizedUntilMillis() {
    return prefix + "finalized-until-ms";
  }

  /** Property: the snapshot whose evidence moved the watermark. */
  public String finalizedUntilSnapshotId() {
    return prefix + "finalized-until-snapshot-id";
  }

  /** Property: the table the watermark is about; another one is a clone. */
  public String finalizedUntilTableUuid() {
    return prefix + "finalized-until-table-uuid";
  }

  /** Property: the first hour that this table's facts cover. */
  public String finalizedSince() {
    return prefix + "finalized-since";
  }

  /** Property: the policy that moved the watermark last, in its canonical text. */
  public String policy() {
    return prefix + "policy";
  }

  /** Property: path of the event-time column. */
  public String eventTimeColumn() {
    return prefix + "event-time.column";
  }

  /** Property: zone in which the event-time column is read. */
  public String eventTimeZone() {
    return prefix + "event-time.zone";
  }

  /** Property: required writers, separated by commas. */
  public String writers() {
    return prefix + "writers";
  }

  /** Property: present while the watermark must not move; the value is the reason. */
  public String paused() {
    return prefix + "paused";
  }

  /**
   * Property: present once an operator took Tidemark's opinions from the table; the value is the
   * reason.
   */
  public String disabled() {
    return prefix + "disabled";
  }

  /** Property: when the watermark was reset last; what was attested before does not count. */
  public String resetAt() {
    return prefix + "reset-at";
  }

  /** Property: what operators did, see {@link OperatorActs}; in chunks. */
  public String operations() {
    return prefix + "operations";
  }

  /** Property: how property writes are fenced, see {@link FenceKind}. */
  public String fence() {
    return prefix + "fence";
  }

  /** Property: recent facts of a writer; further chunks end in {@code .1}, {@code .2} and so on. */
  public String window(String writerId) {
    return prefix + "window." + checkWriterId(writerId);
  }

  /** Property: input watermark a writer attested, see {@link AttestationText}. */
  public String attested(String writerId) {
    return prefix + "attested." + checkWriterId(writerId);
  }

  /** Property: what a writer committed; the chunks end in {@code .0}, {@code .1} and so on. */
  public String committed(String writerId) {
    return prefix + "committed." + checkWriterId(writerId);
  }

  /** Property: the batches a writer committed, in chunks. */
  public String committedBatch(String writerId) {
    return prefix + "committed-batch." + checkWriterId(writerId);
  }

  /** Property of a base table: what it took over from a source. */
  public String source(String name, String entry) {
    return prefix + "source." + checkWriterId(name) + "." + entry;
  }

  /** Property of a base table: the snapshot of a source up to which its changes are applied. */
  public String consumedSnapshotId(String name) {
    return source(name, "consumed-snapshot-id");
  }

  /** Property of a base table: the UUID of a source. */
  public String sourceTableUuid(String name) {
    return source(name, "table-uuid");
  }

  /** The sources whose changes a base table has taken over, by name. */
  public ImmutableSortedSet<String> sources(Map<String, String> properties) {
    String first = prefix + "source.";
    String last = ".consumed-snapshot-id";
    ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.naturalOrder();
    for (String key : properties.keySet()) {
      if (key.startsWith(first) && key.endsWith(last)) {
        String name =
            key.substring(first.length(), Math.max(first.length(), key.length() - last.length()));
        if (WRITER.matcher(name).matches()) {
          names.add(name);
        }
      }
    }
    return names.build();
  }

  /** Those of the properties that hold evidence: windows of facts, and attestations. */
  public ImmutableSet<String> evidence(Map<String, String> properties) {
    return properties.keySet().stream()
        .filter(key -> key.startsWith(prefix + "window.") || key.startsWith(prefix + "attested."))
        .collect(ImmutableSet.toImmutableSet());
  }

  /**
   * Those of the properties that hold opinions and the evidence for them. What was committed, what
   * was taken over from sources and what operators did is not among them.
   */
  public ImmutableSet<String> opinions(Map<String, String> properties) {
    ImmutableSet<String> opinions =
        ImmutableSet.of(
            finalizedUntil(),
            finalizedUntilMillis(),
            finalizedUntilSnapshotId(),
            finalizedUntilTableUuid(),
            finalizedSince(),
            policy(),
            eventTimeColumn(),
            eventTimeZone(),
            writers(),
            paused(),
            resetAt());
    return Sets.union(Sets.intersection(opinions, properties.keySet()), evidence(properties))
        .immutableCopy();
  }

  /**
   * The required writers a table lists; empty if it lists none.
   *
   * @throws IllegalArgumentException if a listed name is no writer id
   */
  public ImmutableSet<String> requiredWriters(Map<String, String> properties) {
    String listed = properties.get(writers());
    if (listed == null || listed.isBlank()) {
      return ImmutableSet.of();
    }
    ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.naturalOrder();
    for (String name : listed.split(",", -1)) {
      names.add(checkWriterId(name.strip()));
    }
    return names.build();
  }

  /** All properties of this table that Tidemark owns, of every branch. */
  public static ImmutableMap<String, String> owned(Map<String, String> properties) {
    ImmutableMap.Builder<String, String> owned = ImmutableMap.builder();
    properties.forEach(
        (key, value) -> {
          if (key.startsWith(PREFIX)) {
            owned.put(key, value);
          }
        });
    return owned.buildOrThrow();
  }
}
