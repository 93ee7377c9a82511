package dev.tidemark.upsert;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.state.BagState;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the manifest of an export once the images of all shards are there. */
final class WriteManifestFn extends DoFn<KV<Integer, ShardExport>, Void> {
  private static final Logger LOG = LoggerFactory.getLogger(WriteManifestFn.class);

  @StateId("images")
  private final StateSpec<BagState<ShardExport>> imagesSpec = StateSpecs.bag(ShardExport.CODER);

  @StateId("count")
  private final StateSpec<ValueState<Integer>> countSpec = StateSpecs.value(VarIntCoder.of());

  private final CandidateSettings settings;

  WriteManifestFn(CandidateSettings settings) {
    this.settings = settings;
  }

  @ProcessElement
  public void process(
      @Element KV<Integer, ShardExport> element,
      @StateId("images") BagState<ShardExport> images,
      @StateId("count") ValueState<Integer> countState)
      throws IOException {
    Integer before = countState.read();
    int count = before == null ? 1 : before + 1;
    images.add(element.getValue());
    countState.write(count);
    if (count < settings.shards()) {
      return;
    }
    StateManifest manifest =
        StateManifest.of(
            settings.semantics().strategy().name(),
            settings.semantics().ttlMillis(),
            settings.semantics().description(),
            ImmutableList.copyOf(byShard(images.read())));
    StateDirectory.of(settings.moves().to()).writeManifest(manifest);
    LOG.info(
        "Exported the state of {} shards to {} as {}. It counts once the job has finished",
        count,
        settings.moves().to(),
        manifest.id());
  }

  private static Collection<ShardExport> byShard(Iterable<ShardExport> images) {
    Map<Integer, ShardExport> byShard = new TreeMap<>();
    for (ShardExport image : images) {
      if (byShard.put(image.shard(), image) != null) {
        throw new IllegalStateException(
            String.format(
                "Cannot write the manifest of an export: shard %d was exported twice. Restore the pipeline from"
                    + " a savepoint of before its drain",
                image.shard()));
      }
    }
    return byShard.values();
  }
}
