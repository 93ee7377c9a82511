package dev.tidemark.rocksdb;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.arrayContainingInAnyOrder;
import static org.hamcrest.Matchers.arrayWithSize;
import static org.hamcrest.Matchers.containsString;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class LocalDirectoryTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void directoryOfADeadProcessIsDeletedByTheNext() throws Exception {
    Path parent = folder.getRoot().toPath();
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                AbandonedDirectory.class.getName(),
                parent.toString())
            .inheritIO()
            .start();
    child.waitFor();
    assertThat(parent.toFile().list(), arrayWithSize(2));

    try (LocalDirectory own = LocalDirectory.create(parent)) {
      String name = own.path().getFileName().toString();
      assertThat(parent.toFile().list(), arrayContainingInAnyOrder(name, name + ".lock"));
    }
    assertThat(parent.toFile().list(), arrayWithSize(0));
  }

  @Test
  public void directoryOfALiveProcessStays() throws IOException {
    Path parent = folder.getRoot().toPath();
    try (LocalDirectory one = LocalDirectory.create(parent);
        LocalDirectory other = LocalDirectory.create(parent)) {
      assertThat(
          parent.toFile().list(),
          arrayContainingInAnyOrder(
              one.path().getFileName().toString(),
              one.path().getFileName() + ".lock",
              other.path().getFileName().toString(),
              other.path().getFileName() + ".lock"));
    }
  }

  @Test
  public void placeThatIsNoDirectoryIsNamed() throws IOException {
    Path file = Files.createFile(folder.getRoot().toPath().resolve("file"));

    Exception e =
        assertThrows(UncheckedIOException.class, () -> LocalDirectory.create(file.resolve("x")));
    assertThat(e.getMessage(), containsString("CandidateStoreOptions.withDirectory"));
  }

  /** Ends with a directory it does not close. */
  static final class AbandonedDirectory {
    private AbandonedDirectory() {}

    public static void main(String[] args) throws IOException {
      LocalDirectory directory = LocalDirectory.create(Path.of(args[0]));
      Files.writeString(directory.path().resolve("file"), "content");
      Runtime.getRuntime().halt(1);
    }
  }
}
