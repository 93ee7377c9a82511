package dev.tidemark.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the jar starts. Uses nothing but Java: on a bare JVM it is the first to run, and unpacks
 * what a cluster would have.
 */
public final class Launcher {
  /** Jars inside of the jar, in a folder of this name. */
  private static final String FOLDER = "bare-jvm/";

  private static final List<String> JARS =
      List.of(
          "lz4-java.jar",
          "rocksdbjni-linux64.jar",
          "slf4j-api.jar",
          "slf4j-simple.jar",
          "snappy-java.jar");

  private Launcher() {}

  /** Runs the program that the first argument names; without arguments shows what there is. */
  public static void main(String[] args) throws Exception {
    if (isThere("org.slf4j.Logger")) {
      Programs.main(args);
    } else {
      runWithNestedJars(args);
    }
  }

  private static boolean isThere(String className) {
    try {
      Class.forName(className, false, Launcher.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static void runWithNestedJars(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("tidemark-");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
    List<URL> urls = new ArrayList<>();
    urls.add(Launcher.class.getProtectionDomain().getCodeSource().getLocation().toURI().toURL());
    for (String jar : JARS) {
      urls.add(unpack(jar, folder));
    }
    // Not closed: the program's threads load classes until the process ends.
    ClassLoader loader =
        new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    try {
      Class.forName("dev.tidemark.bundle.Programs", true, loader)
          .getMethod("main", String[].class)
          .invoke(null, (Object) args);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException usage) {
        System.err.println(usage.getMessage());
        System.exit(2);
      }
      throw e;
    }
  }

  private static URL unpack(String jar, Path folder) throws IOException, URISyntaxException {
    Path target = folder.resolve(jar);
    try (InputStream in = Launcher.class.getClassLoader().getResourceAsStream(FOLDER + jar)) {
      if (in == null) {
        throw new IOException(
            "Cannot start on a bare JVM: "
                + FOLDER
                + jar
                + " is not in the jar. Take the jar as it was built.");
      }
      Files.copy(in, target);
    }
    return target.toUri().toURL();
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("Cannot delete " + folder + ": " + e + ". Delete it by hand.");
    }
  }
}
