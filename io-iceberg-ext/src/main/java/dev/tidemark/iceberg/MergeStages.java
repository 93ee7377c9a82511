package dev.tidemark.iceberg;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.merge.MergeResult;
import dev.tidemark.merge.MergeSpec;
import dev.tidemark.merge.StagedMerge;
import java.io.Serializable;
import java.util.List;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;

/** The stages of {@link MergeChanges}. */
final class MergeStages implements Serializable {
  private final ValueProvider<CatalogConfig> bases;
  private final ValueProvider<CatalogConfig> sources;
  private final MergeSpec spec;

  MergeStages(
      ValueProvider<CatalogConfig> bases, ValueProvider<CatalogConfig> sources, MergeSpec spec) {
    this.bases = bases;
    this.sources = sources;
    this.spec = spec;
  }

  private StagedMerge open() {
    return StagedMerge.of(bases.get().catalog(), sources.get().catalog(), spec);
  }

  /** Pins the metadata versions. */
  static final class PinFn extends DoFn<String, List<String>> {
    private final MergeStages stages;

    PinFn(MergeStages stages) {
      this.stages = stages;
    }

    @ProcessElement
    public void process(OutputReceiver<List<String>> out) {
      out.output(stages.open().pin());
    }
  }

  /** Lists the files to read. */
  static final class TasksFn extends DoFn<List<String>, byte[]> {
    private final MergeStages stages;

    TasksFn(MergeStages stages) {
      this.stages = stages;
    }

    @ProcessElement
    public void process(@Element List<String> pin, OutputReceiver<byte[]> out) {
      stages.open().tasks(pin).forEach(out::output);
    }
  }

  /** Reads files. */
  static final class ReadFn extends DoFn<byte[], KV<Integer, byte[]>> {
    private final MergeStages stages;
    private final PCollectionView<List<String>> pin;

    private transient StagedMerge merge;

    ReadFn(MergeStages stages, PCollectionView<List<String>> pin) {
      this.stages = stages;
      this.pin = pin;
    }

    @Setup
    public void setup() {
      merge = stages.open();
    }

    @ProcessElement
    public void process(ProcessContext context) {
      merge.read(
          context.sideInput(pin),
          context.element(),
          (part, change) -> context.output(KV.of(part, change)));
    }
  }

  /** Merges parts. */
  static final class PartFn extends DoFn<KV<Integer, Iterable<byte[]>>, byte[]> {
    private final MergeStages stages;
    private final PCollectionView<List<String>> pin;

    private transient StagedMerge merge;

    PartFn(MergeStages stages, PCollectionView<List<String>> pin) {
      this.stages = stages;
      this.pin = pin;
    }

    @Setup
    public void setup() {
      merge = stages.open();
    }

    @ProcessElement
    public void process(ProcessContext context) {
      context.output(merge.merge(context.sideInput(pin), context.element().getValue()));
    }
  }

  /** Commits. */
  static final class CommitFn extends DoFn<List<String>, MergeResult> {
    private final MergeStages stages;
    private final PCollectionView<Iterable<byte[]>> outcomes;
    private final Counter keys = Metrics.counter(MergeChanges.class, "mergedKeys");
    private final Counter superseded = Metrics.counter(MergeChanges.class, "supersededKeys");
    private final Counter inserted = Metrics.counter(MergeChanges.class, "insertedRows");
    private final Counter deleted = Metrics.counter(MergeChanges.class, "deletedRows");
    private final Counter replans = Metrics.counter(MergeChanges.class, "mergeReplans");

    CommitFn(MergeStages stages, PCollectionView<Iterable<byte[]>> outcomes) {
      this.stages = stages;
      this.outcomes = outcomes;
    }

    @ProcessElement
    public void process(ProcessContext context) {
      MergeResult result = stages.open().finish(context.element(), context.sideInput(outcomes));
      keys.inc(result.keys());
      superseded.inc(result.keysSuperseded());
      inserted.inc(result.rowsInserted());
      deleted.inc(Math.max(0, result.rowsDeleted()));
      replans.inc(result.replans());
      context.output(result);
    }
  }
}
