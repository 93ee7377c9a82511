package dev.tidemark.examples.cdc;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;

/** Collects what failed in the stages of a pipeline, and writes it where the options say. */
final class WriteDeadLetters {
  private final List<PCollection<String>> letters = new ArrayList<>();

  /** Adds the failures of a stage; the name appears in each letter. */
  void add(String stage, PCollection<BadRecord> failed) {
    letters.add(
        failed
            .apply("Letters_" + stage, MapElements.via(new DeadLetterText(stage)))
            .setCoder(StringUtf8Coder.of()));
  }

  void write(CdcOptions options) {
    DoFn<String, Void> fn =
        switch (options.getDeadLetters()) {
          case FILES ->
              new WriteFolderFn(
                  "deadLetterFolder",
                  Given.orDefault(options.getDeadLetterFolder()),
                  Clock.systemUTC());
          case KAFKA ->
              new WriteTopicFn(
                  Given.orDefault(options.getDeadLetterTopic()), KafkaClients.properties(options));
        };
    PCollectionList.of(letters)
        .apply("DeadLetters", Flatten.pCollections())
        .apply("WriteDeadLetters", ParDo.of(fn))
        .setCoder(VoidCoder.of());
  }
}
