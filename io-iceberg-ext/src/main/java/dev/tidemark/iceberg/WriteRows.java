package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.RewindPolicy;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.datafile.FileOptions;
import dev.tidemark.datafile.RowSchemas;
import dev.tidemark.eventtime.EventTimeExtractor;
import java.time.Clock;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.iceberg.catalog.TableIdentifier;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;

/**
 * Appends rows to Iceberg tables, exactly once; see {@link TidemarkIcebergIO}.
 *
 * <p>A streaming pipeline commits each table once per checkpoint, with what a completed checkpoint
 * holds. A bounded pipeline commits each table once per window.
 */
@AutoValue
public abstract class WriteRows extends PTransform<PCollection<Row>, IcebergWriteResult> {
  private static final int DEFAULT_CONCURRENCY = 4;
  private static final Duration DEFAULT_HEARTBEAT = Duration.standardSeconds(10);
  private static final Duration DEFAULT_PARKED_RETRY = Duration.standardMinutes(5);

  WriteRows() {}

  abstract @Nullable ValueProvider<CatalogConfig> catalog();

  abstract @Nullable TableDestinations destinations();

  abstract @Nullable String writerId();

  abstract @Nullable TableCreation tableCreation();

  abstract AddedColumns addedColumns();

  abstract @Nullable EventTimeExtractor eventTime();

  abstract @Nullable FinalizationOptions finalization();

  abstract ImmutableList<CommitAccumulator<?, ?>> accumulators();

  abstract ImmutableList<SerializableCommitHook> hooks();

  abstract RewindPolicy onRewind();

  abstract String branch();

  abstract FileOptions fileOptions();

  abstract int commitConcurrency();

  abstract Duration heartbeatInterval();

  abstract Duration parkedRetry();

  abstract @Nullable Clock clock();

  abstract boolean launchCheck();

  abstract @Nullable Integer rowGrouping();

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder catalog(ValueProvider<CatalogConfig> catalog);

    abstract Builder destinations(TableDestinations destinations);

    abstract Builder writerId(String writerId);

    abstract Builder tableCreation(TableCreation creation);

    abstract Builder addedColumns(AddedColumns addedColumns);

    abstract Builder eventTime(EventTimeExtractor extractor);

    abstract Builder finalization(FinalizationOptions options);

    abstract Builder accumulators(ImmutableList<CommitAccumulator<?, ?>> accumulators);

    abstract Builder hooks(ImmutableList<SerializableCommitHook> hooks);

    abstract Builder onRewind(RewindPolicy policy);

    abstract Builder branch(String branch);

    abstract Builder fileOptions(FileOptions options);

    abstract Builder commitConcurrency(int concurrency);

    abstract Builder heartbeatInterval(Duration interval);

    abstract Builder parkedRetry(Duration interval);

    abstract Builder clock(Clock clock);

    abstract Builder launchCheck(boolean check);

    abstract Builder rowGrouping(Integer rows);

    abstract WriteRows build();
  }

  static WriteRows create() {
    return new AutoValue_WriteRows.Builder()
        .addedColumns(AddedColumns.REFUSE)
        .accumulators(ImmutableList.of())
        .hooks(ImmutableList.of())
        .onRewind(RewindPolicy.FAIL)
        .branch(TidemarkKeys.MAIN)
        .fileOptions(FileOptions.defaults())
        .commitConcurrency(DEFAULT_CONCURRENCY)
        .heartbeatInterval(DEFAULT_HEARTBEAT)
        .parkedRetry(DEFAULT_PARKED_RETRY)
        .launchCheck(true)
        .build();
  }

  /** The catalog of the tables. Required. */
  public WriteRows withCatalog(CatalogConfig catalog) {
    return withCatalog(StaticValueProvider.of(catalog));
  }

  /** As {@link #withCatalog(CatalogConfig)}, told when the pipeline runs. */
  public WriteRows withCatalog(ValueProvider<CatalogConfig> catalog) {
    return toBuilder().catalog(catalog).build();
  }

  /**
   * Writes all rows to one table. This or {@link #to(TableDestinations)} is required. A table that
   * is missing, or does not take the rows, fails the pipeline: nothing is lost, since the runner
   * restores what it has not written.
   *
   * @throws IllegalArgumentException if a level of the name contains a dot
   */
  public WriteRows to(TableIdentifier table) {
    if (!TableIdentifier.parse(table.toString()).equals(table)) {
      throw new IllegalArgumentException(
          String.format("Invalid table: %s (no level of its name may contain a dot)", table));
    }
    return to(StaticValueProvider.of(table.toString()));
  }

  /**
   * As {@link #to(TableIdentifier)}, told when the pipeline runs: {@code namespace.table}, with
   * more levels of namespace separated by dots.
   */
  public WriteRows to(ValueProvider<String> table) {
    return to(new OneTable(table));
  }

  /**
   * Writes each row to the table that a function names. A table that is missing, or does not take
   * the rows, fails its own rows and no others.
   */
  public WriteRows to(TableDestinations destinations) {
    return toBuilder().destinations(destinations).build();
  }

  /**
   * The name of this writer in the tables ({@code [A-Za-z0-9_-]}, at most 64 characters). Required.
   * It must stay the same when the pipeline is restarted from its state, and must not be used by
   * two live pipelines: the second one is refused. A pipeline that starts without state needs a new
   * one.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  public WriteRows withWriterId(String writerId) {
    return toBuilder().writerId(TidemarkKeys.checkWriterId(writerId)).build();
  }

  /** Creates missing tables. Default: they are refused. */
  public WriteRows withTableCreation(TableCreation creation) {
    return toBuilder().tableCreation(creation).build();
  }

  /** What to do with columns that the rows have and a table does not. Default: refuse. */
  public WriteRows withAddedColumns(AddedColumns addedColumns) {
    return toBuilder().addedColumns(addedColumns).build();
  }

  /**
   * Measures the event time of the rows of each commit, by facts in the snapshot's summary.
   * Default: none. Costs one look at the column for each row.
   */
  public WriteRows withEventTime(EventTimeExtractor extractor) {
    return toBuilder().eventTime(extractor).build();
  }

  /** Keeps a finalization watermark in the tables. Needs {@link #withEventTime}. Default: none. */
  public WriteRows withFinalization(FinalizationOptions options) {
    return toBuilder().finalization(options).build();
  }

  /**
   * Adds an accumulator; may be called several times.
   *
   * @throws IllegalArgumentException if the name is taken
   */
  public WriteRows withAccumulator(CommitAccumulator<?, ?> accumulator) {
    for (CommitAccumulator<?, ?> other : accumulators()) {
      if (other.name().equals(accumulator.name())) {
        throw new IllegalArgumentException(
            String.format("Invalid accumulator name: %s (must be unique)", accumulator.name()));
      }
    }
    return toBuilder()
        .accumulators(
            ImmutableList.<CommitAccumulator<?, ?>>builder()
                .addAll(accumulators())
                .add(accumulator)
                .build())
        .build();
  }

  /** Adds code that runs before and after each commit; may be called several times. */
  public WriteRows withCommitHook(SerializableCommitHook hook) {
    return toBuilder()
        .hooks(ImmutableList.<SerializableCommitHook>builder().addAll(hooks()).add(hook).build())
        .build();
  }

  /** What to do if the runner was taken back behind committed results. Default: fail. */
  public WriteRows withOnRewind(RewindPolicy policy) {
    return toBuilder().onRewind(policy).build();
  }

  /** The branch to commit to. Default: main. Its keys carry the name of the branch. */
  public WriteRows toBranch(String branch) {
    return toBuilder().branch(TidemarkKeys.forBranch(branch).branch()).build();
  }

  /** Sizes and limits of data files. Default: {@link FileOptions#defaults()}. */
  public WriteRows withFileOptions(FileOptions options) {
    return toBuilder().fileOptions(options).build();
  }

  /** How many tables one worker commits at the same time. Default 4, at least 1. Streaming only. */
  public WriteRows withCommitConcurrency(int concurrency) {
    if (concurrency < 1) {
      throw new IllegalArgumentException(
          String.format("Invalid commit concurrency: %s (must be at least 1)", concurrency));
    }
    return toBuilder().commitConcurrency(concurrency).build();
  }

  /** Processing time between two signs of life of an idle table. Default 10 s. Streaming only. */
  public WriteRows withHeartbeatInterval(Duration interval) {
    if (interval.isShorterThan(Duration.millis(10))) {
      throw new IllegalArgumentException(
          String.format("Invalid heartbeat interval: %s (must be at least PT0.010S)", interval));
    }
    return toBuilder().heartbeatInterval(interval).build();
  }

  /** How often a table that failed for good is tried again. Default 5 min. Streaming only. */
  public WriteRows withParkedRetry(Duration interval) {
    if (interval.isShorterThan(Duration.millis(10))) {
      throw new IllegalArgumentException(
          String.format(
              "Invalid retry of parked tables: %s (must be at least PT0.010S)", interval));
    }
    return toBuilder().parkedRetry(interval).build();
  }

  /**
   * The clock that dates commits and signs of life, and that the watermark does not pass, for
   * simulations and tests. Default: the system's. A clock has to be serializable. It also measures
   * how long a commit is tried again. Which event times are sane is asked of {@link
   * EventTimeExtractor#withClock}; Iceberg dates its snapshots by the system's clock all the same.
   */
  public WriteRows withClock(Clock clock) {
    return toBuilder().clock(clock).build();
  }

  /**
   * Groups rows into batches of this many before they are written, for runners whose bundles are
   * small, where each bundle would make a file. Default: not grouped; needless on Flink with one
   * bundle per checkpoint, where it would cost a shuffle.
   */
  public WriteRows withRowGrouping(int rows) {
    if (rows < 1) {
      throw new IllegalArgumentException(
          String.format("Invalid row grouping: %s (must be at least 1)", rows));
    }
    return toBuilder().rowGrouping(rows).build();
  }

  /**
   * Does not look at the table when the pipeline is launched, for launchers that do not reach the
   * catalog. Default: the table is looked at if catalog and name are known then, and what is wrong
   * is refused before any data moves.
   */
  public WriteRows withoutLaunchCheck() {
    return toBuilder().launchCheck(false).build();
  }

  Clock clockInUse() {
    Clock clock = clock();
    return clock == null ? Clock.systemUTC() : clock;
  }

  ValueProvider<CatalogConfig> requiredCatalog() {
    return required("catalog", "withCatalog", catalog());
  }

  String requiredWriterId() {
    return required("writer id", "withWriterId", writerId());
  }

  TableDestinations requiredDestinations() {
    return required("table", "to", destinations());
  }

  private static <T> T required(String what, String method, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(
          String.format("Missing required value: %s. Set it with %s(...)", what, method));
    }
    return value;
  }

  @Override
  public IcebergWriteResult expand(PCollection<Row> rows) {
    checkComplete(rows);
    return WriteExpansion.of(this, rows).expand();
  }

  private void checkComplete(PCollection<Row> rows) {
    requiredCatalog();
    requiredWriterId();
    requiredDestinations();
    if (finalization() != null && eventTime() == null) {
      throw new IllegalArgumentException(
          "Cannot keep a finalization watermark without event time. Add withEventTime(...)");
    }
    if (!rows.hasSchema()) {
      throw new IllegalArgumentException(
          "Cannot write rows without a schema. Set it with setRowSchema(...) on the input");
    }
    checkWindows(rows);
    checkCreation(rows.getSchema());
    EventTimeExtractor extractor = eventTime();
    if (extractor != null) {
      extractor.bind(rows.getSchema());
    }
  }

  /** Each row has a window of its own before such windows are merged, and would get a file too. */
  private static void checkWindows(PCollection<Row> rows) {
    WindowFn<?, ?> windows = rows.getWindowingStrategy().getWindowFn();
    if (!WriteExpansion.isStreaming(rows) && !windows.isNonMerging()) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot write rows in merging windows: %s. Put them into fixed or global windows before",
              windows));
    }
  }

  private void checkCreation(Schema schema) {
    TableCreation creation = tableCreation();
    if (creation == null) {
      return;
    }
    creation.spec(RowSchemas.toIceberg(schema));
    if (creation.location() != null && !isOneTable()) {
      throw new IllegalArgumentException(
          "Cannot create several tables at one location. Leave out withLocation(...), or write to one"
              + " table");
    }
  }

  boolean isOneTable() {
    return destinations() instanceof OneTable;
  }

  @Override
  public void validate(
      @Nullable PipelineOptions options,
      Map<TupleTag<?>, PCollection<?>> inputs,
      Map<TupleTag<?>, PCollection<?>> outputs) {
    super.validate(options, inputs, outputs);
    if (launchCheck()
        && requiredCatalog().isAccessible()
        && destinations() instanceof OneTable table
        && table.name().isAccessible()) {
      for (PCollection<?> input : inputs.values()) {
        setup(input.getSchema()).check(table.name().get());
      }
    }
  }

  TableSetup setup(Schema schema) {
    return new TableSetup(requiredCatalog(), schema, tableCreation(), addedColumns());
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    super.populateDisplayData(builder);
    ValueProvider<CatalogConfig> catalog = catalog();
    if (catalog != null && catalog.isAccessible()) {
      builder.include("catalog", catalog.get());
    }
    if (tableCreation() != null) {
      builder.include("tableCreation", tableCreation());
    }
    if (finalization() != null) {
      builder.include("finalization", finalization());
    }
    builder
        .addIfNotNull(DisplayData.item("writerId", writerId()).withLabel("Writer id"))
        .addIfNotNull(destinationItem())
        .addIfNotDefault(
            DisplayData.item("branch", branch()).withLabel("Branch"), TidemarkKeys.MAIN)
        .add(DisplayData.item("addedColumns", addedColumns().name()).withLabel("Added columns"))
        .add(DisplayData.item("onRewind", onRewind().name()).withLabel("On rewind"))
        .addIfNotNull(
            DisplayData.item("eventTime", eventTime() == null ? null : eventTime().columnPath())
                .withLabel("Event-time column"))
        .add(DisplayData.item("accumulators", accumulatorNames()).withLabel("Accumulators"))
        .add(DisplayData.item("commitHooks", hooks().size()).withLabel("Commit hooks"))
        .add(DisplayData.item("fileOptions", fileOptions().toString()).withLabel("Data files"))
        .add(
            DisplayData.item("commitConcurrency", commitConcurrency())
                .withLabel("Tables committed at the same time"))
        .add(
            DisplayData.item("heartbeatInterval", heartbeatInterval())
                .withLabel("Time between two signs of life of an idle table"))
        .add(
            DisplayData.item("parkedRetry", parkedRetry())
                .withLabel("Time between two tries at a parked table"))
        .add(
            DisplayData.item("launchCheck", launchCheck())
                .withLabel("Whether the table is looked at when launched"))
        .addIfNotNull(
            DisplayData.item("clock", clock() == null ? null : clock().getClass())
                .withLabel("Clock, instead of the system's"))
        .addIfNotNull(
            DisplayData.item("rowGrouping", rowGrouping())
                .withLabel("Rows grouped before writing"));
  }

  private DisplayData.@Nullable ItemSpec<?> destinationItem() {
    TableDestinations destinations = destinations();
    if (destinations instanceof OneTable table) {
      return DisplayData.item("table", table.name().toString()).withLabel("Table");
    }
    return DisplayData.item("destinations", destinations == null ? null : destinations.getClass())
        .withLabel("Function that names the tables");
  }

  private String accumulatorNames() {
    return accumulators().stream()
        .map(CommitAccumulator::name)
        .sorted()
        .collect(Collectors.joining(","));
  }
}
