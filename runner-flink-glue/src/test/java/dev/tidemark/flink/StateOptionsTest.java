package dev.tidemark.flink;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.Assert.assertThrows;

import dev.tidemark.candidates.CandidateStoreOptions;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class StateOptionsTest {
  private static final String FACTORY =
      "--stateBackendFactory=dev.tidemark.flink.IncrementalRocksDb";

  private static TidemarkFlinkOptions options(String... more) {
    String[] args = new String[more.length + 1];
    args[0] = "--checkpointingInterval=60000";
    System.arraycopy(more, 0, args, 1, more.length);
    return TidemarkFlink.configure(
        PipelineOptionsFactory.fromArgs(args).as(TidemarkFlinkOptions.class));
  }

  private static List<String> problems(String... args) {
    return new FlinkPipelineCheck().problems(options(args));
  }

  @Test
  public void stateBackendOfTidemarkHasNoProblem() {
    assertThat(problems(FACTORY, "--stateBackendStoragePath=file:///c"), is(empty()));
  }

  @Test
  public void stateBackendsOfBeamHaveNoProblem() {
    assertThat(
        problems("--stateBackend=rocksdb", "--stateBackendStoragePath=file:///c"), is(empty()));
    assertThat(
        problems("--stateBackend=FileSystem", "--stateBackendStoragePath=file:///c"), is(empty()));
  }

  @Test
  public void unknownStateBackendIsNamed() {
    assertThat(
        problems("--stateBackend=rocks"),
        contains(
            is(
                "Option stateBackend is rocks; leave it out and set"
                    + " --stateBackendFactory=dev.tidemark.flink.IncrementalRocksDb")));
  }

  @Test
  public void stateBackendWithoutAFolderIsAProblem() {
    assertThat(
        problems("--stateBackend=rocksdb"),
        contains(
            is(
                "Option stateBackendStoragePath is unset, and stateBackend is rocksdb; set"
                    + " --stateBackendStoragePath to the folder of checkpoints")));
  }

  @Test
  public void stateBackendAndFactoryContradictEachOther() {
    assertThat(
        problems("--stateBackend=rocksdb", "--stateBackendStoragePath=file:///c", FACTORY),
        contains(
            is(
                "Option stateBackend is rocksdb, so that stateBackendFactory"
                    + " dev.tidemark.flink.IncrementalRocksDb is ignored; leave out either")));
  }

  @Test
  public void retainedAndNotExternalizedContradictEachOther() {
    assertThat(
        problems(
            "--externalizedCheckpointsEnabled=false",
            "--retainExternalizedCheckpointsOnCancellation=true"),
        contains(
            containsString("Option retainExternalizedCheckpointsOnCancellation is true, and")));
  }

  @Test
  public void stateThatIsNotRestoredIsRefused() {
    assertThat(
        problems("--allowNonRestoredState=true"),
        contains(
            allOf(
                containsString("Option allowNonRestoredState is true, which drops results"),
                containsString("leave it out"))));
  }

  @Test
  public void maxParallelismThatIsOpenIsRefused() {
    TidemarkFlinkOptions open = options();
    open.setMaxParallelism(-1);
    assertThat(
        new FlinkPipelineCheck().problems(open),
        contains(
            is(
                "Option maxParallelism is unset, and the keys of state depend on it; set"
                    + " --maxParallelism=1024 at the first start and keep it")));
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> new FlinkRunnerSupport().keyGroups(open, true));
    assertThat(
        e.getMessage(),
        containsString("Cannot place keys of state: Option maxParallelism is unset"));
  }

  @Test
  public void maxParallelismBeyondFlinksIsRefused() {
    assertThat(
        problems("--maxParallelism=40000"),
        contains(is("Option maxParallelism is 40000; set --maxParallelism to at most 32768")));
  }

  @Test
  public void parallelismBeyondTheMostIsRefused() {
    assertThat(
        problems("--parallelism=64", "--maxParallelism=32"),
        contains(
            is(
                "Option parallelism is 64, and maxParallelism is 32; set --parallelism to at most 32."
                    + " maxParallelism can only be changed with new state")));
  }

  @Test
  public void boundedPipelinesHavePlainKeys() {
    assertThat(new FlinkRunnerSupport().keyGroups(options(), false), is(nullValue()));
    assertThat(
        new FlinkRunnerSupport().keyGroups(options("--maxParallelism=64"), true),
        is(new FlinkKeyGroups(64)));
  }

  @Test
  public void storesGetTheMemoryAndTheDirectoryOfTheOptions() {
    assertThat(
        new FlinkRunnerSupport()
            .candidateStores(
                options("--candidateStoreMemoryMb=64", "--candidateStoreDirectory=/data/c")),
        is(CandidateStoreOptions.defaults().withMemoryBytes(64 << 20).withDirectory("/data/c")));
    assertThat(
        new FlinkRunnerSupport().candidateStores(options()), is(CandidateStoreOptions.defaults()));
  }

  @Test
  public void memoryOfStoresOutOfRangeIsNamed() {
    for (String value : new String[] {"0", "-5", "2000000"}) {
      TidemarkFlinkOptions options = options("--candidateStoreMemoryMb=" + value);
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> new FlinkRunnerSupport().candidateStores(options));
      assertThat(
          e.getMessage(),
          containsString(
              "option candidateStoreMemoryMb is "
                  + value
                  + ". Set --candidateStoreMemoryMb to a number of MiB from 1 to 1048576"));
    }
  }
}
