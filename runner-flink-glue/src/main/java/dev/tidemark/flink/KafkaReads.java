package dev.tidemark.flink;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.Pipeline.PipelineVisitor;
import org.apache.beam.sdk.options.ExperimentalOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.transforms.PTransform;

/**
 * Looks for reads from Kafka in a graph. The one on unbounded sources keeps its place across a
 * restart with another parallelism. The one by splittable functions does not: a job restored with
 * another parallelism is refused, or reads twice.
 */
final class KafkaReads extends PipelineVisitor.Defaults {
  private static final String READ = "org.apache.beam.sdk.io.kafka.KafkaIO$Read";
  private static final Set<String> SPLITTABLE =
      Set.of(
          "org.apache.beam.sdk.io.kafka.KafkaIO$Read$ReadFromKafkaViaSDF",
          "org.apache.beam.sdk.io.kafka.KafkaIO$ReadSourceDescriptors");
  private static final List<String> PINS =
      List.of("use_deprecated_read", "beam_fn_api_use_deprecated_read");

  private final boolean pinned;
  private final List<String> problems = new ArrayList<>();

  private KafkaReads(boolean pinned) {
    this.pinned = pinned;
  }

  static List<String> problems(Pipeline pipeline, PipelineOptions options) {
    KafkaReads reads =
        new KafkaReads(
            PINS.stream().anyMatch(pin -> ExperimentalOptions.hasExperiment(options, pin)));
    pipeline.traverseTopologically(reads);
    return reads.problems;
  }

  @Override
  public CompositeBehavior enterCompositeTransform(Node node) {
    PTransform<?, ?> transform = node.getTransform();
    // What AutoValue generates is a subclass.
    for (Class<?> type = transform == null ? null : transform.getClass();
        type != null;
        type = type.getSuperclass()) {
      if (SPLITTABLE.contains(type.getName())) {
        problems.add(
            String.format(
                "%s reads Kafka by a splittable function, which loses its place when the parallelism changes; use"
                    + " KafkaIO.read() with --experiments=use_deprecated_read and without withTopicPattern,"
                    + " dynamic reads and use_sdf_read",
                node.getFullName()));
        return CompositeBehavior.DO_NOT_ENTER_TRANSFORM;
      }
      if (type.getName().equals(READ) && !pinned) {
        problems.add(
            String.format(
                "%s reads Kafka by what the runner prefers, which is not fixed for the life of the state; set"
                    + " --experiments=use_deprecated_read",
                node.getFullName()));
        return CompositeBehavior.DO_NOT_ENTER_TRANSFORM;
      }
    }
    return CompositeBehavior.ENTER_TRANSFORM;
  }
}
