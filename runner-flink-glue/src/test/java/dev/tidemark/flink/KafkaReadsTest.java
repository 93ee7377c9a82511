package dev.tidemark.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import dev.tidemark.flink.testing.IdSource;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.io.kafka.KafkaIO;
import org.apache.beam.sdk.io.kafka.KafkaSourceDescriptor;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Looks at graphs that KafkaIO builds; nothing of them runs. */
@RunWith(JUnit4.class)
public class KafkaReadsTest {
  private static final String PIN = "--experiments=use_deprecated_read";

  private static Pipeline pipeline(String... more) {
    String[] args = new String[more.length + 1];
    args[0] = "--checkpointingInterval=60000";
    System.arraycopy(more, 0, args, 1, more.length);
    return Pipeline.create(
        TidemarkFlink.configure(
            PipelineOptionsFactory.fromArgs(args).as(TidemarkFlinkOptions.class)));
  }

  private static Pipeline reading(String... args) {
    Pipeline pipeline = pipeline(args);
    pipeline.apply(
        "Orders",
        KafkaIO.<byte[], byte[]>read()
            .withBootstrapServers("localhost:9092")
            .withTopic("orders")
            .withKeyDeserializer(ByteArrayDeserializer.class)
            .withValueDeserializer(ByteArrayDeserializer.class));
    return pipeline;
  }

  private static List<String> problems(Pipeline pipeline) {
    return new FlinkPipelineCheck().problems(pipeline, pipeline.getOptions());
  }

  @Test
  public void pinnedReadHasNoProblem() {
    assertThat(problems(reading(PIN)), is(empty()));
  }

  @Test
  public void pipelineWithoutKafkaNeedsNoPin() {
    Pipeline pipeline = pipeline();
    pipeline.apply(Read.from(IdSource.of(1, 1, true)));
    assertThat(problems(pipeline), is(empty()));
  }

  @Test
  public void readThatIsNotPinnedIsNamedWithTheRemedy() {
    assertThat(
        problems(reading()),
        contains(
            is(
                "Orders reads Kafka by what the runner prefers, which is not fixed for the life of the state;"
                    + " set --experiments=use_deprecated_read")));
  }

  @Test
  public void readBySplittableFunctionIsRefused() {
    assertThat(
        problems(reading("--experiments=use_sdf_read")),
        contains(
            allOf(
                containsString("Orders"),
                containsString("set --experiments=use_deprecated_read"))));
  }

  @Test
  public void readOfDescriptorsIsRefusedAlsoWhereReadsArePinned() {
    Pipeline pipeline = pipeline(PIN);
    pipeline
        .apply(
            Create.of(
                KafkaSourceDescriptor.of(
                    new TopicPartition("orders", 0),
                    null,
                    null,
                    null,
                    null,
                    List.of("localhost:9092"))))
        .apply(
            "Orders",
            KafkaIO.<byte[], byte[]>readSourceDescriptors()
                .withBootstrapServers("localhost:9092")
                .withKeyDeserializer(ByteArrayDeserializer.class)
                .withValueDeserializer(ByteArrayDeserializer.class));
    assertThat(
        problems(pipeline),
        contains(containsString("Orders reads Kafka by a splittable function, which loses")));
  }

  @Test
  public void checkNamesProblemsOfOptionsAndGraphTogether() {
    Pipeline pipeline = reading("--maxBundleSize=1000");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> TidemarkFlink.check(pipeline));
    assertThat(
        e.getMessage(),
        allOf(
            containsString("Cannot run the pipeline on Flink: Option maxBundleSize is 1000; set"),
            containsString("; Orders reads Kafka"),
            not(containsString(".."))));
  }

  @Test
  public void checkPassesWhatMayStart() {
    Pipeline pipeline = reading(PIN);
    TidemarkFlink.check(pipeline);
    assertThat(problems(pipeline), is(empty()));
  }
}
