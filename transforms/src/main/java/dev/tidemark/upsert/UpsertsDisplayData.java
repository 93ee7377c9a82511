package dev.tidemark.upsert;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import dev.tidemark.candidates.UpsertSemantics;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.joda.time.Duration;

/** What the transforms of this package show of their settings. */
final class UpsertsDisplayData {
  private UpsertsDisplayData() {}

  static void add(MaterializeUpserts upserts, DisplayData.Builder builder) {
    ImmutableList<String> upsertKey = upserts.upsertKey();
    MaterializeUpserts.Thresholds thresholds = upserts.thresholds();
    builder
        .add(
            DisplayData.item("sinkKey", Joiner.on(',').join(upserts.sinkKey()))
                .withLabel("Sink key"))
        .add(
            DisplayData.item(
                    "upsertKey", upsertKey == null ? "none" : Joiner.on(',').join(upsertKey))
                .withLabel("Input upsert key"))
        .add(
            DisplayData.item("strategy", upserts.strategy().name())
                .withLabel("Strategy by which upsert keys are compared"))
        .add(
            DisplayData.item(
                    "thresholds",
                    thresholds == null
                        ? "of the store"
                        : thresholds.high() + " and " + thresholds.low())
                .withLabel("Candidates from which a list is large, and at which it is small again"))
        .add(DisplayData.item("shards", upserts.shards()).withLabel("Shards"))
        .add(DisplayData.item("orderBy", upserts.order().toString()).withLabel("Order of changes"))
        .add(
            DisplayData.item("batchRows", upserts.batchRows()).withLabel("Most changes of a batch"))
        .add(
            DisplayData.item("batchBytes", upserts.batchBytes()).withLabel("Most bytes of a batch"))
        .add(DisplayData.item("batchAge", upserts.batchAge()).withLabel("Longest wait of a batch"))
        .addIfNotDefault(
            DisplayData.item("timeToLive", upserts.timeToLive()).withLabel("Time to live"),
            Duration.ZERO)
        .addIfNotDefault(
            DisplayData.item("insertOnly", upserts.insertOnly())
                .withLabel("Passes inserts through"),
            false);
    addBounds(upserts.softBound(), upserts.hardBound(), upserts.atHardBound(), builder);
    addState(upserts.store(), upserts.moves(), builder);
  }

  static void addBounds(
      int soft, int hard, UpsertSemantics.HardBound atHard, DisplayData.Builder builder) {
    builder
        .addIfNotDefault(
            DisplayData.item("softBound", soft)
                .withLabel("Candidates of a key beyond which additions are counted"),
            0)
        .addIfNotDefault(
            DisplayData.item("hardBound", hard)
                .withLabel("Most candidates of a key, then " + atHard),
            0);
  }

  /** Where state is kept, and where it comes from and goes to. */
  static void addState(StoreChoice store, StateMoves moves, DisplayData.Builder builder) {
    builder
        .addIfNotNull(
            DisplayData.item("storeMemory", store.memoryBytes())
                .withLabel("Memory of stores in a process, in bytes"))
        .addIfNotNull(
            DisplayData.item("storeDirectory", store.directory())
                .withLabel("Local directory of stores"))
        .addIfNotNull(
            DisplayData.item("initialState", moves.from())
                .withLabel("Export that the state begins with"))
        .addIfNotNull(
            DisplayData.item("export", moves.to()).withLabel("Directory to export the state to"));
  }
}
