package dev.tidemark.datafile;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.Assert.assertThrows;

import org.apache.beam.sdk.util.SerializableUtils;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class FileOptionsTest {
  @Test
  public void orderOfSettersDoesNotMatter() {
    assertThat(
        FileOptions.defaults().withMaxOpenWriters(3).withFileNamePrefix("a"),
        equalTo(FileOptions.defaults().withFileNamePrefix("a").withMaxOpenWriters(3)));
  }

  @Test
  public void optionsTravel() {
    FileOptions options =
        FileOptions.defaults()
            .withTargetFileSizeBytes(1)
            .withMaxBufferedBytes(2)
            .withSpillBufferBytes(3)
            .withSpillDirectory("/x");

    assertThat(SerializableUtils.clone(options), equalTo(options));
  }

  @Test
  public void valuesOutOfRangeAreRefused() {
    FileOptions options = FileOptions.defaults();
    assertThrows(IllegalArgumentException.class, () -> options.withTargetFileSizeBytes(0));
    assertThrows(IllegalArgumentException.class, () -> options.withMaxOpenWriters(0));
    assertThrows(IllegalArgumentException.class, () -> options.withMaxBufferedBytes(0));
    assertThrows(IllegalArgumentException.class, () -> options.withSpillBufferBytes(0));
    assertThrows(
        IllegalArgumentException.class, () -> options.withSpillBufferBytes(Integer.MAX_VALUE));
    assertThrows(IllegalArgumentException.class, () -> options.withSpillDirectory(""));
  }

  @Test
  public void prefixThatIsNoFileNameIsRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> FileOptions.defaults().withFileNamePrefix("a/b"));

    assertThat(e.getMessage(), containsString("a/b"));
  }
}
