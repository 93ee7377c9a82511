package dev.tidemark.upsert;

import com.google.common.collect.ImmutableList;
import dev.tidemark.candidates.Resharding;
import dev.tidemark.candidates.ShardImages;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Works on the state that {@link MaterializeUpserts#withExport} wrote.
 *
 * <p>Directories are on any file system that Beam knows. In a program that has not built a pipeline
 * before, call {@code FileSystems.setDefaultPipelineOptions} first, unless they are local. Needs
 * the store of candidates on the class path that wrote the export.
 */
public final class UpsertStates {
  private UpsertStates() {}

  /**
   * Makes an export of another number of shards from an export, which stays as it is. {@link
   * MaterializeUpserts#withInitialState} can begin with either. The manifest is written last, so
   * that an attempt that fails leaves no export, and can be repeated.
   *
   * <p>Images are read and written as {@link Resharding} says: fastest where one number is a
   * multiple of the other.
   *
   * @param from the directory of an export whose job has finished
   * @param to a directory without an export
   * @param shards the new number of shards, from 1 to 32,768
   * @throws IllegalArgumentException if there is no export in {@code from}, or one in {@code to}
   * @throws dev.tidemark.candidates.CorruptStateException if an image cannot be read, or is of
   *     another export
   */
  public static void reshard(String from, String to, int shards) throws IOException {
    reshard(from, to, shards, CandidateStores.provider().images());
  }

  static void reshard(String from, String to, int shards, ShardImages images) throws IOException {
    MaterializeBatches.checkShards(shards);
    StateDirectory source = StateDirectory.of(from);
    StateDirectory target = StateDirectory.of(to);
    StateManifest manifest = source.readManifest();
    target.checkNoExport();
    ShardExport[] written = new ShardExport[shards];
    try (OpenImages open = new OpenImages()) {
      Resharding.of(manifest.description(), manifest.shards(), shards)
          .run(
              (shard, reader) -> {
                ShardExport image = manifest.images().get(shard);
                try (InputStream in = new BufferedInputStream(source.openImage(image))) {
                  CountedRecords records = new CountedRecords(images.readFrom(in));
                  reader.read(records);
                  ShardMover.checkRecords(from, image, records.count());
                }
              },
              shard -> {
                String name = StateDirectory.newImage(shard, shards);
                OutputStream out = open.add(new BufferedOutputStream(target.createImage(name)));
                return new ImageSink(
                    images.writeTo(out),
                    records -> {
                      open.close(out);
                      written[shard] = ShardExport.of(shard, name, records);
                    });
              });
    }
    target.writeManifest(
        StateManifest.of(
            manifest.strategy(),
            manifest.timeToLiveMillis(),
            manifest.description(),
            ImmutableList.copyOf(written)));
  }
}
