package dev.tidemark.merge;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.commit.TidemarkKeys;
import java.io.Serializable;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What is merged into which base table, and how. A value that travels with a pipeline.
 *
 * <pre>{@code
 * MergeSpec spec =
 *     MergeSpec.into(TableIdentifier.of("shop", "orders"))
 *         .withSource("orders", TableIdentifier.of("shop", "orders_changes"))
 *         .withKey("order_id", "region")
 *         .withOrder("_position")
 *         .withoutColumns("_ts");
 * }</pre>
 *
 * <p>Sources, key and order are required.
 */
@AutoValue
public abstract class MergeSpec implements Serializable {
  private static final String DEFAULT_KIND_COLUMN = "_kind";
  private static final String DEFAULT_TRUNCATE_KIND = "-T";
  private static final long DEFAULT_ROWS_IN_MEMORY = 1_000_000;
  private static final int DEFAULT_MAX_REPLANS = 10;

  abstract String baseName();

  abstract String branch();

  abstract ImmutableList<MergeSource> sources();

  abstract ImmutableList<String> key();

  abstract ImmutableList<String> order();

  abstract String kindColumn();

  abstract ImmutableMap<String, ChangeKind> kinds();

  abstract String truncateKind();

  abstract @Nullable String unknownColumn();

  abstract ImmutableSet<String> withoutColumns();

  abstract boolean fullBeforeImages();

  abstract Truncation truncates();

  abstract Removals removals();

  abstract ExtraColumns extraColumns();

  abstract boolean rebuild();

  abstract long rowsInMemory();

  abstract int threads();

  abstract int maxReplans();

  abstract @Nullable String spillDirectory();

  /** A merge into the {@code main} branch of a table. */
  public static MergeSpec into(TableIdentifier base) {
    ImmutableMap.Builder<String, ChangeKind> kinds = ImmutableMap.builder();
    for (ChangeKind kind : ChangeKind.values()) {
      kinds.put(kind.symbol(), kind);
    }
    return new AutoValue_MergeSpec.Builder()
        .setBaseName(base.toString())
        .setBranch(TidemarkKeys.MAIN)
        .setSources(ImmutableList.of())
        .setKey(ImmutableList.of())
        .setOrder(ImmutableList.of())
        .setKindColumn(DEFAULT_KIND_COLUMN)
        .setKinds(kinds.buildOrThrow())
        .setTruncateKind(DEFAULT_TRUNCATE_KIND)
        .setWithoutColumns(ImmutableSet.of())
        .setFullBeforeImages(false)
        .setTruncates(Truncation.REFUSE)
        .setRemovals(Removals.POSITIONS)
        .setExtraColumns(ExtraColumns.REFUSE)
        .setRebuild(false)
        .setRowsInMemory(DEFAULT_ROWS_IN_MEMORY)
        .setThreads(Runtime.getRuntime().availableProcessors())
        .setMaxReplans(DEFAULT_MAX_REPLANS)
        .build();
  }

  /** The base table. */
  public TableIdentifier base() {
    return TableIdentifier.parse(baseName());
  }

  /** Merges into another branch, with keys of its own. Default {@code main}. */
  public MergeSpec withBranch(String branch) {
    return toBuilder().setBranch(TidemarkKeys.forBranch(branch).branch()).build();
  }

  /** Adds a change table, read at its {@code main} branch, under a name the base remembers. */
  public MergeSpec withSource(String name, TableIdentifier table) {
    return withSource(MergeSource.of(name, table));
  }

  /**
   * Adds a change table. With several, the order columns compare across all of them, and the base's
   * watermark is the minimum of theirs.
   *
   * @throws IllegalArgumentException if there is a source of that name already
   */
  public MergeSpec withSource(MergeSource source) {
    checkArgument(
        sources().stream().noneMatch(other -> other.name().equals(source.name())),
        "Invalid source: %s (there is one of this name already)",
        source.name());
    return toBuilder()
        .setSources(ImmutableList.<MergeSource>builder().addAll(sources()).add(source).build())
        .build();
  }

  /**
   * The columns that identify a row of the base table; a null is a value like any other. They are
   * top-level columns, of any primitive type but float and double, and in every change.
   */
  public MergeSpec withKey(String... columns) {
    return toBuilder().setKey(names("key", columns)).build();
  }

  /**
   * The columns of the change tables whose values, compared one after the other, order the changes
   * of a key: the last one counts, whatever order they arrive in, also across merges. Of changes
   * with equal values one that adds a row counts after one that removes it, then the later file and
   * row of the change table counts. Never a time that a source stamps.
   */
  public MergeSpec withOrder(String... columns) {
    return toBuilder().setOrder(names("order", columns)).build();
  }

  /** The column of the change tables that tells what a change does. Default {@code _kind}. */
  public MergeSpec withKindColumn(String column) {
    return toBuilder().setKindColumn(name("kind column", column)).build();
  }

  /**
   * Takes another value of the kind column for a kind, for example {@code "c"} for an insert.
   * Default: {@code +I}, {@code -U}, {@code +U} and {@code -D}. A key whose last change is a {@code
   * -U} is gone, as after a {@code -D}.
   */
  public MergeSpec withKind(String value, ChangeKind kind) {
    ImmutableMap.Builder<String, ChangeKind> kinds = ImmutableMap.builder();
    return toBuilder().setKinds(kinds.putAll(kinds()).put(value, kind).buildKeepingLast()).build();
  }

  /** What the kind column says of a truncate, whose other columns count for nothing but order. */
  public MergeSpec withTruncateKind(String value) {
    return toBuilder().setTruncateKind(name("truncate kind", value)).build();
  }

  /** What a truncate does; with several sources it is always refused. Default: refuse. */
  public MergeSpec withTruncates(Truncation truncates) {
    return toBuilder().setTruncates(truncates).build();
  }

  /**
   * The column, a list of text, that names the columns a change does not tell. A row that is added
   * keeps the value that the key had for them. Default: none, every change tells all.
   */
  public MergeSpec withUnknownColumns(String column) {
    return toBuilder().setUnknownColumn(name("column of unknown columns", column)).build();
  }

  /** Columns of the change tables that are not meant for the base table. Default: none. */
  public MergeSpec withoutColumns(String... columns) {
    ImmutableSet.Builder<String> all = ImmutableSet.builder();
    return toBuilder().setWithoutColumns(all.addAll(withoutColumns()).add(columns).build()).build();
  }

  /** What to do with further columns that the base table lacks. Default: refuse. */
  public MergeSpec withExtraColumns(ExtraColumns extraColumns) {
    return toBuilder().setExtraColumns(extraColumns).build();
  }

  /**
   * Relies on the row before each update and delete being told as a whole ({@code REPLICA IDENTITY
   * FULL}). The row that a key's first change takes back is then looked for in the partitions that
   * the key's changes name, and elsewhere only if it is not there. Default: false, the row is
   * looked for wherever the key can be.
   */
  public MergeSpec withFullBeforeImages() {
    return toBuilder().setFullBeforeImages(true).build();
  }

  /** How rows are removed. Default: by position. */
  public MergeSpec withRemovals(Removals removals) {
    return toBuilder().setRemovals(removals).build();
  }

  /**
   * Replaces all rows of the base table by the fold of everything the change tables hold, and takes
   * their watermark as it is, even if that moves the base's back. The remedy where the range since
   * the last merge is lost; the change tables have to reach back to the first row. Default: false.
   */
  public MergeSpec withRebuild(boolean rebuild) {
    return toBuilder().setRebuild(rebuild).build();
  }

  /**
   * Changes held in memory at once (at least 1, default one million). A larger range is split by
   * key into parts on local disk, which are merged one after another and committed together.
   */
  public MergeSpec withRowsInMemory(long rows) {
    checkArgument(rows >= 1, "Invalid rows in memory: %s (must be at least 1)", rows);
    return toBuilder().setRowsInMemory(rows).build();
  }

  /** Files read at once (at least 1). Default: the processors of the machine. */
  public MergeSpec withThreads(int threads) {
    checkArgument(threads >= 1, "Invalid threads: %s (must be at least 1)", threads);
    return toBuilder().setThreads(threads).build();
  }

  /** How often other commits to the base may make this one start over. Default 10. */
  public MergeSpec withMaxReplans(int replans) {
    checkArgument(replans >= 0, "Invalid replans: %s (must not be negative)", replans);
    return toBuilder().setMaxReplans(replans).build();
  }

  /** Where parts of large ranges are kept. Default: {@code java.io.tmpdir}. */
  public MergeSpec withSpillDirectory(String directory) {
    return toBuilder().setSpillDirectory(name("spill directory", directory)).build();
  }

  /**
   * Checks that nothing is missing and nothing contradicts itself.
   *
   * @throws IllegalArgumentException otherwise, with the remedy
   */
  public void check() {
    checkArgument(
        !sources().isEmpty(),
        "Cannot merge into table %s: no source. Name a change table with withSource",
        baseName());
    checkArgument(
        !key().isEmpty(),
        "Cannot merge into table %s: no key. Name its columns with withKey",
        baseName());
    checkArgument(
        !order().isEmpty(),
        "Cannot merge into table %s: no order of changes. Name its columns with withOrder",
        baseName());
    checkArgument(
        !(unknownColumn() != null && removals() == Removals.EQUALITY),
        "Cannot merge into table %s: values that changes do not tell are looked up, which equality"
            + " deletes save. Use Removals.POSITIONS",
        baseName());
  }

  /** What the spec says, name by name, for those who display pipelines. */
  public ImmutableMap<String, String> describe() {
    return ImmutableMap.<String, String>builder()
        .put("base", baseName())
        .put("branch", branch())
        .put("sources", sources().toString())
        .put("key", key().toString())
        .put("order", order().toString())
        .put("kindColumn", kindColumn())
        .put("kinds", kinds().toString())
        .put("truncateKind", truncateKind())
        .put("unknownColumns", String.valueOf(unknownColumn()))
        .put("withoutColumns", withoutColumns().toString())
        .put("fullBeforeImages", Boolean.toString(fullBeforeImages()))
        .put("truncates", truncates().name())
        .put("removals", removals().name())
        .put("extraColumns", extraColumns().name())
        .put("rebuild", Boolean.toString(rebuild()))
        .put("rowsInMemory", Long.toString(rowsInMemory()))
        .put("threads", Integer.toString(threads()))
        .put("maxReplans", Integer.toString(maxReplans()))
        .put("spillDirectory", String.valueOf(spillDirectory()))
        .buildOrThrow();
  }

  TidemarkKeys keys() {
    return TidemarkKeys.forBranch(branch());
  }

  /** Columns of change tables that say something about the change and are no data of the row. */
  ImmutableSet<String> metaColumns() {
    ImmutableSet.Builder<String> meta = ImmutableSet.builder();
    meta.addAll(order()).add(kindColumn()).addAll(withoutColumns());
    if (unknownColumn() != null) {
      meta.add(unknownColumn());
    }
    return meta.build();
  }

  private static ImmutableList<String> names(String what, String... columns) {
    ImmutableSet<String> distinct = ImmutableSet.copyOf(columns);
    checkArgument(
        columns.length > 0 && distinct.size() == columns.length,
        "Invalid %s columns: %s (must be one or more different names)",
        what,
        ImmutableList.copyOf(columns));
    distinct.forEach(column -> name(what + " column", column));
    return distinct.asList();
  }

  private static String name(String what, String value) {
    checkArgument(!value.isEmpty(), "Invalid %s: empty (must be a name)", what);
    return value;
  }

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setBaseName(String name);

    abstract Builder setBranch(String branch);

    abstract Builder setSources(ImmutableList<MergeSource> sources);

    abstract Builder setKey(ImmutableList<String> columns);

    abstract Builder setOrder(ImmutableList<String> columns);

    abstract Builder setKindColumn(String column);

    abstract Builder setKinds(ImmutableMap<String, ChangeKind> kinds);

    abstract Builder setTruncateKind(String value);

    abstract Builder setUnknownColumn(@Nullable String column);

    abstract Builder setWithoutColumns(ImmutableSet<String> columns);

    abstract Builder setFullBeforeImages(boolean full);

    abstract Builder setTruncates(Truncation truncates);

    abstract Builder setRemovals(Removals removals);

    abstract Builder setExtraColumns(ExtraColumns extraColumns);

    abstract Builder setRebuild(boolean rebuild);

    abstract Builder setRowsInMemory(long rows);

    abstract Builder setThreads(int threads);

    abstract Builder setMaxReplans(int replans);

    abstract Builder setSpillDirectory(@Nullable String directory);

    abstract MergeSpec build();
  }
}
