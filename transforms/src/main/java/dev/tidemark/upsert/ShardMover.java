package dev.tidemark.upsert;

import dev.tidemark.candidates.ShardImages;
import dev.tidemark.candidates.ShardState;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.state.ValueState;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Fills the state of shards from an export, and exports it, for one instance of a function. */
final class ShardMover {
  private static final int BUFFER_BYTES = 64 << 10;

  private final StateMoves moves;
  private final int shards;
  private final ShardImages images;
  private final Counter imported = Metrics.counter(MaterializeUpserts.class, "importedShards");
  private final Counter exported = Metrics.counter(MaterializeUpserts.class, "exportedShards");
  private @Nullable StateManifest manifest;

  private ShardMover(StateMoves moves, int shards, ShardImages images) {
    this.moves = moves;
    this.shards = shards;
    this.images = images;
  }

  static ShardMover of(CandidateSettings settings) {
    return new ShardMover(settings.moves(), settings.shards(), settings.findProvider().images());
  }

  boolean exports() {
    return moves.to() != null;
  }

  /**
   * Fills a shard that has no state yet, whatever it is about to be used for. That it has been done
   * is known by the state itself, which the runner keeps and takes back together with it.
   *
   * @param origin the export that the state began with, where there was one
   */
  void importIfNew(int shard, ShardState state, ValueState<String> origin) throws IOException {
    String from = moves.from();
    if (from == null) {
      return;
    }
    if (state.header() != null) {
      checkOrigin(shard, origin.read());
      return;
    }
    ShardExport image = manifest(from).images().get(shard);
    long records;
    try (InputStream in =
        new BufferedInputStream(StateDirectory.of(from).openImage(image), BUFFER_BYTES)) {
      // Closed only if all is well: it is whole from then on.
      ShardImages.Sink sink = images.writeTo(shard, state);
      records = ShardImages.copy(ShardImages.ofShard(shard, shards, images.readFrom(in)), sink);
      checkRecords(from, image, records);
      sink.close();
    }
    origin.write(moves.fromId());
    imported.inc();
  }

  private void checkOrigin(int shard, @Nullable String origin) {
    if (!Objects.equals(origin, moves.fromId())) {
      throw new IllegalStateException(
          String.format(
              "Cannot begin shard %d with the state in %s: it has state already, which began with %s."
                  + " Begin with new state, or without withInitialState",
              shard, moves.from(), origin == null ? "nothing" : "export " + origin));
    }
  }

  static void checkRecords(String directory, ShardExport image, long records) {
    if (records != image.records()) {
      throw new IllegalStateException(
          String.format(
              "Cannot read shard %d of the export in %s: image %s has %d records, and the manifest says %d."
                  + " Put back the image as it was written",
              image.shard(), directory, image.file(), records, image.records()));
    }
  }

  private StateManifest manifest(String from) {
    StateManifest known = manifest;
    if (known == null) {
      known = StateDirectory.of(from).readManifest();
      if (!known.id().equals(moves.fromId())) {
        throw new IllegalStateException(
            String.format(
                "Cannot begin with the state in %s: it is export %s now, and was %s when the pipeline was built."
                    + " Put back the former, or begin with new state",
                from, known.id(), moves.fromId()));
      }
      manifest = known;
    }
    return known;
  }

  /** Writes the image of a shard. */
  ShardExport export(int shard, ShardState state) throws IOException {
    ShardExport export =
        write(StateDirectory.of(moves.to()), shard, shards, images, images.readFrom(shard, state));
    exported.inc();
    return export;
  }

  private static ShardExport write(
      StateDirectory directory,
      int shard,
      int shards,
      ShardImages images,
      ShardImages.Records records)
      throws IOException {
    String name = StateDirectory.newImage(shard, shards);
    try (OutputStream out = new BufferedOutputStream(directory.createImage(name), BUFFER_BYTES)) {
      ShardImages.Sink sink = images.writeTo(out);
      long count = ShardImages.copy(records, sink);
      sink.close();
      return ShardExport.of(shard, name, count);
    }
  }
}
