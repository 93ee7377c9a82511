package dev.tidemark.iceberg;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.auto.value.AutoValue;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.merge.MergeResult;
import dev.tidemark.merge.MergeSpec;
import java.util.List;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.StreamingOptions;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Merges change tables into a base table, once: a batch transform, to be run by a scheduler.
 *
 * <p>It does what {@link dev.tidemark.merge.BaseTableMerge} does, in stages. One worker pins the
 * metadata versions. Files of changes are read in parallel, and parts of the keys are looked up and
 * written in parallel; there are as many parts as {@link MergeSpec#withRowsInMemory} makes. One
 * worker commits. If other commits to the base table void the plan, that worker does all again by
 * itself. A repeated stage repeats its work, and the commit is made once.
 *
 * <pre>{@code
 * PCollection<MergeResult> merges =
 *     pipeline
 *         .apply(TidemarkIcebergIO.mergeChanges().withCatalog(catalog).withSpec(spec))
 *         .merges();
 * }</pre>
 */
@AutoValue
public abstract class MergeChanges extends PTransform<PBegin, MergeChangesResult> {
  MergeChanges() {}

  abstract @Nullable ValueProvider<CatalogConfig> catalog();

  abstract @Nullable ValueProvider<CatalogConfig> sourceCatalog();

  abstract @Nullable MergeSpec spec();

  static MergeChanges create() {
    return new AutoValue_MergeChanges(null, null, null);
  }

  /** The catalog of the base table, and of the change tables unless they have another. Required. */
  public MergeChanges withCatalog(CatalogConfig catalog) {
    return withCatalog(StaticValueProvider.of(catalog));
  }

  /** See {@link #withCatalog(CatalogConfig)}. */
  public MergeChanges withCatalog(ValueProvider<CatalogConfig> catalog) {
    return new AutoValue_MergeChanges(catalog, sourceCatalog(), spec());
  }

  /** The catalog of the change tables. Default: that of the base table. */
  public MergeChanges withSourceCatalog(CatalogConfig catalog) {
    return withSourceCatalog(StaticValueProvider.of(catalog));
  }

  /** See {@link #withSourceCatalog(CatalogConfig)}. */
  public MergeChanges withSourceCatalog(ValueProvider<CatalogConfig> catalog) {
    return new AutoValue_MergeChanges(catalog(), catalog, spec());
  }

  /** What is merged into what. Required. */
  public MergeChanges withSpec(MergeSpec spec) {
    return new AutoValue_MergeChanges(catalog(), sourceCatalog(), spec);
  }

  private static void refuseStreaming(PipelineOptions options) {
    checkArgument(
        !options.as(StreamingOptions.class).isStreaming(),
        "Cannot run MergeChanges in a streaming pipeline: it merges once and ends. Run it in a batch"
            + " pipeline on a schedule");
  }

  @Override
  public void validate(@Nullable PipelineOptions options) {
    if (options != null) {
      refuseStreaming(options);
    }
  }

  @Override
  public MergeChangesResult expand(PBegin begin) {
    refuseStreaming(begin.getPipeline().getOptions());
    ValueProvider<CatalogConfig> catalog = catalog();
    MergeSpec spec = spec();
    checkArgument(catalog != null, "Cannot merge: no catalog. Name it with withCatalog");
    checkArgument(spec != null, "Cannot merge: no spec. Say what is merged with withSpec");
    spec.check();
    ValueProvider<CatalogConfig> sources = sourceCatalog() == null ? catalog : sourceCatalog();
    MergeStages stages = new MergeStages(catalog, sources, spec);
    PCollection<List<String>> pin =
        begin
            .apply("Start", Create.of("").withCoder(StringUtf8Coder.of()))
            .apply("Pin", ParDo.of(new MergeStages.PinFn(stages)))
            .setCoder(ListCoder.of(StringUtf8Coder.of()))
            // What follows is told by the pin, so it must not change when a stage is repeated.
            .apply("KeepPin", Reshuffle.viaRandomKey());
    PCollectionView<List<String>> pinned = pin.apply("PinView", View.asSingleton());
    PCollection<byte[]> parts =
        pin.apply("ListFiles", ParDo.of(new MergeStages.TasksFn(stages)))
            .setCoder(ByteArrayCoder.of())
            .apply("SpreadFiles", Reshuffle.viaRandomKey())
            .apply(
                "ReadChanges",
                ParDo.of(new MergeStages.ReadFn(stages, pinned)).withSideInputs(pinned))
            .setCoder(KvCoder.of(VarIntCoder.of(), ByteArrayCoder.of()))
            .apply("GroupByPart", GroupByKey.create())
            .apply(
                "MergeParts",
                ParDo.of(new MergeStages.PartFn(stages, pinned)).withSideInputs(pinned))
            .setCoder(ByteArrayCoder.of());
    PCollectionView<Iterable<byte[]>> outcomes =
        parts.apply("KeepOutcomes", Reshuffle.viaRandomKey()).apply("Outcomes", View.asIterable());
    PCollection<MergeResult> merges =
        pin.apply(
                "Commit",
                ParDo.of(new MergeStages.CommitFn(stages, outcomes)).withSideInputs(outcomes))
            .setCoder(SerializableCoder.of(MergeResult.class));
    return new MergeChangesResult(begin.getPipeline(), merges);
  }

  @Override
  public void populateDisplayData(DisplayData.Builder builder) {
    super.populateDisplayData(builder);
    MergeSpec spec = spec();
    if (spec != null) {
      spec.describe().forEach((name, value) -> builder.add(DisplayData.item(name, value)));
    }
    if (catalog() != null && catalog().isAccessible()) {
      builder.include("catalog", catalog().get());
    }
    if (sourceCatalog() != null && sourceCatalog().isAccessible()) {
      builder.include("sourceCatalog", sourceCatalog().get());
    }
  }
}
