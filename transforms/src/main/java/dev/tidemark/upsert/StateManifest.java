package dev.tidemark.upsert;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.auto.value.AutoValue;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import dev.tidemark.candidates.UpsertSemantics;
import java.io.IOException;
import java.io.Serializable;
import java.util.UUID;

/** What an export is: its settings and the images of all shards. */
@AutoValue
abstract class StateManifest implements Serializable {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  StateManifest() {}

  /** A name of this export; the same images have the same. */
  abstract String id();

  abstract String strategy();

  abstract long timeToLiveMillis();

  /** What the state is bound to, but for the number of shards. */
  abstract String description();

  /** The images, by shard. */
  abstract ImmutableList<ShardExport> images();

  static StateManifest of(
      String strategy,
      long timeToLiveMillis,
      String description,
      ImmutableList<ShardExport> images) {
    String files = Joiner.on('\n').join(Iterables.transform(images, ShardExport::file));
    return new AutoValue_StateManifest(
        UUID.nameUUIDFromBytes(files.getBytes(UTF_8)).toString(),
        strategy,
        timeToLiveMillis,
        description,
        images);
  }

  int shards() {
    return images().size();
  }

  /** Refuses settings that mean something else than those of the export. */
  void checkFits(String directory, CandidateSettings settings) {
    UpsertSemantics semantics = settings.semantics();
    if (shards() != settings.shards()) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot begin with the state in %s: it has %d shards, and the transform has %d. Make images of"
                  + " %d shards with UpsertStates.reshard, or set withShards(%d)",
              directory, shards(), settings.shards(), settings.shards(), shards()));
    }
    check(
        directory, "belongs to", description(), semantics.description(), "Configure it as it was");
    check(
        directory,
        "was kept by strategy",
        strategy(),
        semantics.strategy().name(),
        "Set withStrategy(...) as it was");
    check(
        directory,
        "was kept with a time to live of (ms)",
        timeToLiveMillis(),
        semantics.ttlMillis(),
        "Set it as it was; it can be changed once the pipeline has state");
  }

  private static void check(
      String directory, String what, Object exported, Object now, String remedy) {
    if (!exported.equals(now)) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot begin with the state in %s: it %s [%s], and the transform is now [%s]. %s",
              directory, what, exported, now, remedy));
    }
  }

  byte[] toJson() {
    ObjectNode json = JSON.createObjectNode();
    json.put("version", VERSION);
    json.put("id", id());
    json.put("shards", shards());
    json.put("strategy", strategy());
    json.put("timeToLiveMillis", timeToLiveMillis());
    json.put("description", description());
    ArrayNode images = json.putArray("images");
    for (ShardExport image : images()) {
      images.addObject().put("file", image.file()).put("records", image.records());
    }
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Cannot write manifest: " + e.getMessage(), e);
    }
  }

  /** Reads what {@link #toJson} wrote, of the manifest of a directory. */
  static StateManifest parse(String directory, byte[] bytes) {
    JsonNode json;
    try {
      json = JSON.readTree(bytes);
    } catch (IOException e) {
      throw new IllegalStateException(
          String.format(
              "Cannot read the manifest in %s: it is no whole JSON document. Use another copy of the export",
              directory),
          e);
    }
    int version = json.path("version").asInt(-1);
    if (version != VERSION) {
      throw unreadable(
          directory,
          String.format("its version is %d, and this release reads %d", version, VERSION));
    }
    ImmutableList.Builder<ShardExport> images = ImmutableList.builder();
    int shard = 0;
    for (JsonNode image : json.path("images")) {
      String file = text(directory, image, "file");
      if (file.isEmpty() || file.contains("/")) {
        throw unreadable(
            directory, "it names an image of shard " + shard + " that is not beside it");
      }
      images.add(ShardExport.of(shard++, file, number(directory, image, "records")));
    }
    StateManifest manifest =
        of(
            text(directory, json, "strategy"),
            number(directory, json, "timeToLiveMillis"),
            text(directory, json, "description"),
            images.build());
    if (number(directory, json, "shards") != shard || shard == 0) {
      throw unreadable(directory, String.format("it names %d images", shard));
    }
    if (!text(directory, json, "id").equals(manifest.id())) {
      throw unreadable(directory, "its id is not that of its images");
    }
    return manifest;
  }

  private static String text(String directory, JsonNode json, String field) {
    JsonNode value = json.path(field);
    if (!value.isTextual()) {
      throw unreadable(directory, "it does not tell " + field);
    }
    return value.asText();
  }

  private static long number(String directory, JsonNode json, String field) {
    JsonNode value = json.path(field);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < 0) {
      throw unreadable(directory, "it does not tell " + field);
    }
    return value.asLong();
  }

  private static IllegalStateException unreadable(String directory, String reason) {
    return new IllegalStateException(
        String.format(
            "Cannot read the manifest in %s: %s. Use the export as it was written, with the release that wrote it or a newer one",
            directory, reason));
  }
}
