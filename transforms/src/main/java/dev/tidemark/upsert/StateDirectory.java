package dev.tidemark.upsert;

import com.google.common.collect.ImmutableList;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.UUID;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResolveOptions.StandardResolveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.util.MimeTypes;

/**
 * A directory with exported state, on any file system that Beam knows. What is there counts only as
 * far as the manifest names it, and the manifest is written last and at once.
 */
final class StateDirectory {
  private static final String MANIFEST = "manifest.json";

  private final String path;

  private StateDirectory(String path) {
    this.path = path;
  }

  static StateDirectory of(String path) {
    return new StateDirectory(path);
  }

  /** A name that no image had before. */
  static String newImage(int shard, int shards) {
    return String.format("shard-%05d-of-%05d-%s.image", shard, shards, UUID.randomUUID());
  }

  /** Refuses to write over an export. */
  void checkNoExport() {
    try {
      FileSystems.matchSingleFileSpec(file(MANIFEST).toString());
    } catch (FileNotFoundException e) {
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(
          String.format("Cannot look for an export in %s. See to its file system", path), e);
    }
    throw new IllegalArgumentException(
        String.format(
            "Cannot export state to %s: there is an export already. Choose another directory, or delete that export"
                + " if nothing is to begin with it",
            path));
  }

  StateManifest readManifest() {
    try (InputStream in = open(MANIFEST)) {
      return StateManifest.parse(path, in.readAllBytes());
    } catch (FileNotFoundException e) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot read the export in %s: it has no manifest, so no export there is whole. Name the directory of"
                  + " an export whose job has finished",
              path),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(
          String.format("Cannot read the export in %s. See to its file system", path), e);
    }
  }

  void writeManifest(StateManifest manifest) throws IOException {
    ResourceId written = file(MANIFEST + "." + UUID.randomUUID() + ".tmp");
    try (OutputStream out =
        Channels.newOutputStream(FileSystems.create(written, MimeTypes.BINARY))) {
      out.write(manifest.toJson());
    }
    FileSystems.rename(ImmutableList.of(written), ImmutableList.of(file(MANIFEST)));
  }

  InputStream openImage(ShardExport image) throws IOException {
    try {
      return open(image.file());
    } catch (FileNotFoundException e) {
      throw new IllegalStateException(
          String.format(
              "Cannot read shard %d of the export in %s: its image %s is missing. Put it back; a shard is never begun"
                  + " without the state that the manifest names",
              image.shard(), path, image.file()),
          e);
    }
  }

  OutputStream createImage(String name) throws IOException {
    return Channels.newOutputStream(FileSystems.create(file(name), MimeTypes.BINARY));
  }

  private InputStream open(String name) throws IOException {
    return Channels.newInputStream(FileSystems.open(file(name)));
  }

  private ResourceId file(String name) {
    return FileSystems.matchNewResource(path, true)
        .resolve(name, StandardResolveOptions.RESOLVE_FILE);
  }

  @Override
  public String toString() {
    return path;
  }
}
