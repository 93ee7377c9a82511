package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;

/** Sends batches through a function that keeps candidates and moves the state of shards. */
final class KeepAndMove {
  static final TupleTag<MaterializedBatch> BATCHES = new TupleTag<>("batches");
  static final TupleTag<KV<Integer, ShardExport>> EXPORTS = new TupleTag<>("exports");

  private KeepAndMove() {}

  /**
   * Applies a function.
   *
   * @param name the name of the step
   * @param function its name in a graph without moves: a runner finds the state by it
   */
  static PCollection<MaterializedBatch> apply(
      PCollection<KV<Integer, KeyedChanges>> batches,
      String name,
      String function,
      DoFn<KV<Integer, KeyedChanges>, MaterializedBatch> fn,
      CandidateSettings settings) {
    PCollection<KV<Integer, KeyedChanges>> seeded =
        settings.moves().any()
            ? batches
                .apply("SeedShards", ParDo.of(new SeedShardsFn(settings.shards())))
                .setCoder(batches.getCoder())
            : batches;
    PCollectionTuple kept = settings.keys().place(seeded).apply(name, new Step(function, fn));
    PCollection<KV<Integer, ShardExport>> exports =
        kept.get(EXPORTS).setCoder(KvCoder.of(VarIntCoder.of(), ShardExport.CODER));
    if (settings.moves().to() != null) {
      exports.apply("WriteManifest", ParDo.of(new WriteManifestFn(settings)));
    }
    return kept.get(BATCHES).setCoder(MaterializedBatchCoder.of());
  }

  private static final class Step
      extends PTransform<PCollection<KV<Integer, KeyedChanges>>, PCollectionTuple> {
    private final String function;
    private final DoFn<KV<Integer, KeyedChanges>, MaterializedBatch> fn;

    Step(String function, DoFn<KV<Integer, KeyedChanges>, MaterializedBatch> fn) {
      this.function = function;
      this.fn = fn;
    }

    @Override
    public PCollectionTuple expand(PCollection<KV<Integer, KeyedChanges>> batches) {
      return batches.apply(
          "ParMultiDo(" + function + ")",
          ParDo.of(fn).withOutputTags(BATCHES, TupleTagList.of(EXPORTS)));
    }
  }
}
