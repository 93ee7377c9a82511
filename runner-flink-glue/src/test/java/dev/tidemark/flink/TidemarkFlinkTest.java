package dev.tidemark.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import org.apache.beam.runners.flink.FlinkRunner;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What {@link TidemarkFlink#configure} sets, option by option, and what it leaves alone. */
@RunWith(JUnit4.class)
public class TidemarkFlinkTest {

  private static TidemarkFlinkOptions configured(String... args) {
    return TidemarkFlink.configure(
        PipelineOptionsFactory.fromArgs(args).as(TidemarkFlinkOptions.class));
  }

  @Test
  public void runnerIsFlinkUnlessGiven() {
    assertThat(configured().getRunner().getName(), is(FlinkRunner.class.getName()));
    assertThat(
        configured("--runner=TestFlinkRunner").getRunner().getSimpleName(), is("TestFlinkRunner"));
  }

  @Test
  public void pipelineIsAStreamingOne() {
    assertThat(configured().isStreaming(), is(true));
  }

  @Test
  public void bundlesFinishBeforeCheckpointsUnlessGiven() {
    assertThat(configured().getFinishBundleBeforeCheckpointing(), is(true));
    assertThat(
        configured("--finishBundleBeforeCheckpointing=false").getFinishBundleBeforeCheckpointing(),
        is(false));
  }

  @Test
  public void objectsAreReusedUnlessGiven() {
    assertThat(configured().getObjectReuse(), is(true));
    assertThat(configured("--objectReuse=false").getObjectReuse(), is(false));
  }

  @Test
  public void bundleSizeIsUnboundedUnlessGiven() {
    assertThat(configured().getMaxBundleSize(), is(Long.MAX_VALUE));
    assertThat(configured("--maxBundleSize=1000").getMaxBundleSize(), is(1_000L));
  }

  @Test
  public void bundleTimeFollowsTheIntervalUnlessGiven() {
    assertThat(configured("--checkpointingInterval=1000").getMaxBundleTimeMills(), is(600_000L));
    assertThat(
        configured("--checkpointingInterval=300000").getMaxBundleTimeMills(), is(3_000_000L));
    assertThat(configured("--maxBundleTimeMills=7").getMaxBundleTimeMills(), is(7L));
  }

  @Test
  public void watermarkIntervalIsSetUnlessGiven() {
    assertThat(configured().getAutoWatermarkInterval(), is(200L));
    assertThat(configured("--autoWatermarkInterval=50").getAutoWatermarkInterval(), is(50L));
  }

  @Test
  public void pauseIsSetUnlessGiven() {
    assertThat(configured().getMinPauseBetweenCheckpoints(), is(500L));
    assertThat(
        configured("--minPauseBetweenCheckpoints=0").getMinPauseBetweenCheckpoints(), is(0L));
  }

  @Test
  public void maxParallelismIsFixedUnlessGiven() {
    assertThat(configured().getMaxParallelism(), is(1_024));
    assertThat(configured("--maxParallelism=128").getMaxParallelism(), is(128));
  }

  @Test
  public void checkpointsAreRetainedUnlessGiven() {
    TidemarkFlinkOptions options = configured();
    assertThat(options.isExternalizedCheckpointsEnabled(), is(true));
    assertThat(options.getRetainExternalizedCheckpointsOnCancellation(), is(true));
    TidemarkFlinkOptions deleted =
        configured("--retainExternalizedCheckpointsOnCancellation=false");
    assertThat(deleted.isExternalizedCheckpointsEnabled(), is(true));
    assertThat(deleted.getRetainExternalizedCheckpointsOnCancellation(), is(false));
    TidemarkFlinkOptions none = configured("--externalizedCheckpointsEnabled=false");
    assertThat(none.isExternalizedCheckpointsEnabled(), is(false));
    assertThat(none.getRetainExternalizedCheckpointsOnCancellation(), is(false));
  }

  @Test
  public void stateBackendIsLeftToTheUser() {
    assertThat(configured().getStateBackend(), is(nullValue()));
    assertThat(configured("--stateBackend=rocksdb").getStateBackend(), is("rocksdb"));
  }

  @Test
  public void secondCallChangesNothing() {
    TidemarkFlinkOptions options = configured("--checkpointingInterval=120000");
    String once = options.toString();
    assertThat(TidemarkFlink.configure(options).toString(), is(once));
  }

  @Test
  public void nothingIsSetWhereDefaultsAreSwitchedOff() {
    TidemarkFlinkOptions options = configured("--tidemarkFlinkDefaults=false");
    assertThat(options.getMaxParallelism(), is(-1));
    assertThat(options.isExternalizedCheckpointsEnabled(), is(false));
    assertThat(options.getMinPauseBetweenCheckpoints(), is(-1L));
    assertThat(options.getObjectReuse(), is(false));
  }
}
