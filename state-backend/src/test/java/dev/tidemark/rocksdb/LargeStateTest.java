package dev.tidemark.rocksdb;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;

/** More records than there is memory for. */
public final class LargeStateTest {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");

  @Rule public final StoreFixture fixture = new StoreFixture();

  @Test
  public void manyKeysAreKeptInASmallHeap() throws Exception {
    assertThat(run(LONG ? 10_000_000 : 300_000, LONG ? 64 : 4, "-Xmx512m"), is(0));
  }

  private int run(int keys, int megabytes, String heap) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(heap);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(LargeState.class.getName());
    command.add(fixture.directory().toString());
    command.add(Integer.toString(keys));
    command.add(Integer.toString(megabytes));
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
