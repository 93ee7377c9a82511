package dev.tidemark.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.flink.testing.IdSource;
import dev.tidemark.once.Batch;
import dev.tidemark.once.Effect;
import dev.tidemark.once.Outcome;
import dev.tidemark.once.PerformOnce;
import dev.tidemark.once.PipelineChecks;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.flink.FlinkRunner;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class FlinkPipelineCheckTest {
  private static final AtomicInteger CALLS = new AtomicInteger();

  private static TidemarkFlinkOptions configured(String... args) {
    return TidemarkFlink.configure(
        PipelineOptionsFactory.fromArgs(args).as(TidemarkFlinkOptions.class));
  }

  private static List<String> problems(PipelineOptions options) {
    return new FlinkPipelineCheck().problems(options);
  }

  @Test
  public void configuredOptionsHaveNoProblem() {
    assertThat(problems(configured("--checkpointingInterval=60000")), is(empty()));
  }

  @Test
  public void configuredOptionsKeepBundlesOpenForTenIntervals() {
    TidemarkFlinkOptions options = configured("--checkpointingInterval=120000");
    assertThat(options.getMaxBundleTimeMills(), is(1_200_000L));
    assertThat(options.getMaxBundleSize(), is(Long.MAX_VALUE));
    assertThat(options.getFinishBundleBeforeCheckpointing(), is(true));
    assertThat(options.getAutoWatermarkInterval(), is(200L));
    assertThat(options.getObjectReuse(), is(true));
    assertThat(options.isStreaming(), is(true));
    assertThat(options.getRunner().getName(), is(FlinkRunner.class.getName()));
  }

  @Test
  public void longerBundlesAndOtherIntervalsOfTheUserAreKept() {
    TidemarkFlinkOptions options =
        configured(
            "--checkpointingInterval=1000",
            "--maxBundleTimeMills=900000",
            "--autoWatermarkInterval=50",
            "--minPauseBetweenCheckpoints=20");
    assertThat(options.getMaxBundleTimeMills(), is(900_000L));
    assertThat(options.getAutoWatermarkInterval(), is(50L));
    assertThat(options.getMinPauseBetweenCheckpoints(), is(20L));
  }

  @Test
  public void defaultsCanBeLeftToTheUser() {
    TidemarkFlinkOptions options = configured("--tidemarkFlinkDefaults=false");
    assertThat(options.getObjectReuse(), is(false));
    assertThat(options.getFinishBundleBeforeCheckpointing(), is(false));
  }

  @Test
  public void checkpointingOffIsAProblem() {
    assertThat(
        problems(configured()),
        contains(
            allOf(
                containsString("checkpointingInterval is -1"),
                containsString("--checkpointingInterval"))));
  }

  @Test
  public void eachNeededOptionIsNamedWithItsValueAndTheRemedy() {
    FlinkPipelineOptions options = configured("--checkpointingInterval=60000");
    options.setCheckpointingMode("AT_LEAST_ONCE");
    options.setNumConcurrentCheckpoints(3);
    options.setMinPauseBetweenCheckpoints(0L);
    options.setUnalignedCheckpointEnabled(true);
    options.setFinishBundleBeforeCheckpointing(false);
    options.setMaxBundleSize(1_000L);
    options.setMaxBundleTimeMills(1_000L);
    options.setAutoWatermarkInterval(null);
    assertThat(
        problems(options),
        contains(
            containsString(
                "checkpointingMode is AT_LEAST_ONCE; set --checkpointingMode=EXACTLY_ONCE"),
            containsString("numConcurrentCheckpoints is 3; set --numConcurrentCheckpoints=1"),
            containsString("minPauseBetweenCheckpoints is 0; set --minPauseBetweenCheckpoints=500"),
            containsString("unalignedCheckpointEnabled is true; set"),
            containsString("finishBundleBeforeCheckpointing is false; set"),
            containsString("maxBundleSize is 1000; set"),
            containsString(
                "maxBundleTimeMills is 1000; set --maxBundleTimeMills to at least 600000"),
            containsString("autoWatermarkInterval is unset; set --autoWatermarkInterval=200")));
  }

  @Test
  public void optionsAreKnownToTheCommandLine() {
    assertThat(
        PipelineOptionsFactory.fromArgs("--runner=FlinkRunner", "--tidemarkFlinkDefaults=false")
            .withValidation()
            .create()
            .as(TidemarkFlinkOptions.class)
            .getTidemarkFlinkDefaults(),
        is(false));
  }

  @Test
  public void pipelineChecksFindThisCheck() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> PipelineChecks.requireStreaming("the write", configured()));
    assertThat(
        e.getMessage(),
        allOf(
            containsString("Cannot run the write as a streaming pipeline"),
            containsString("--checkpointingInterval")));
  }

  /** Counts its calls. */
  private static final class CountingEffect implements Effect<String, Long, String> {
    @Override
    public Outcome<String> perform(String key, Batch<Long> batch) {
      CALLS.incrementAndGet();
      return Outcome.done(List.of());
    }
  }

  @Test
  public void pipelineWithoutCheckpointsIsRefusedBeforeAnythingRuns() {
    TidemarkFlinkOptions options = configured("--flinkMaster=[local]", "--parallelism=1");
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(Read.from(IdSource.of(10, 1_000, true)))
        .apply(WithKeys.<String, Long>of("key").withKeyType(TypeDescriptors.strings()))
        .apply(PerformOnce.of(new CountingEffect()).withReportCoder(StringUtf8Coder.of()));
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, pipeline::run);
    assertThat(e.getMessage(), containsString("checkpointingInterval is -1"));
    assertThat(CALLS.get(), is(0));
  }
}
