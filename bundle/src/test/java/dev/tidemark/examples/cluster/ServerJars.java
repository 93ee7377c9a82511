package dev.tidemark.examples.cluster;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The jars of the programs in module {@code servers}, and of the bundle. */
final class ServerJars {
  private ServerJars() {}

  /** The class path of a program. */
  static String classPath(String server) throws IOException {
    Path target = server(server);
    String jars = Files.readString(target.resolve("server.classpath")).trim();
    Path classes = target.resolve("classes");
    return Files.exists(classes) ? classes + ":" + jars : jars;
  }

  /** What the build of a program has made. */
  static Path server(String server) {
    return path("tidemark.servers").resolve(server).resolve("target");
  }

  /** The jars of a program. */
  static List<Path> jars(String server) throws IOException {
    return Splitter.on(':').splitToList(classPath(server)).stream()
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar"))
        .toList();
  }

  static Path bundle() {
    return path("tidemark.bundle.jar");
  }

  /** What the bundle may be made of: its class path. */
  static List<Path> bundled() throws IOException {
    String jars = Files.readString(path("tidemark.bundle.target").resolve("bundle.classpath"));
    return Splitter.on(':').splitToList(jars.trim()).stream().map(Path::of).toList();
  }

  static Path emulator() {
    return path("tidemark.emulator.jar");
  }

  /** An empty folder for the files of a test. */
  static Path newFolder(String name) throws IOException {
    return Files.createTempDirectory(
        Files.createDirectories(path("tidemark.bundle.target").resolve("cluster")), name + "-");
  }

  private static Path path(String property) {
    String value = System.getProperty(property);
    if (value == null) {
      throw new IllegalStateException(
          "Cannot find the jars: system property "
              + property
              + " is missing. Run the test with Maven, which sets it.");
    }
    return Path.of(value).toAbsolutePath().normalize();
  }
}
