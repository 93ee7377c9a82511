package dev.tidemark.examples.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** The files of a jar by their names. */
final class JarContent implements AutoCloseable {
  private final JarFile jar;
  private final TreeMap<String, JarEntry> entries = new TreeMap<>();

  private JarContent(JarFile jar) {
    this.jar = jar;
    Enumeration<JarEntry> all = jar.entries();
    while (all.hasMoreElements()) {
      JarEntry entry = all.nextElement();
      if (!entry.isDirectory()) {
        entries.put(entry.getName(), entry);
      }
    }
  }

  static JarContent of(Path path) throws IOException {
    return new JarContent(new JarFile(path.toFile()));
  }

  Stream<String> names() {
    return entries.keySet().stream();
  }

  /** Names of classes that have code. */
  Stream<String> classes() {
    return names()
        .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/"))
        .filter(name -> !name.endsWith("module-info.class"))
        .filter(name -> !name.endsWith("package-info.class"));
  }

  boolean has(String name) {
    return entries.containsKey(name);
  }

  byte[] bytes(String name) throws IOException {
    try (InputStream in = jar.getInputStream(entries.get(name))) {
      return in.readAllBytes();
    }
  }

  String manifest(String attribute) throws IOException {
    return jar.getManifest().getMainAttributes().getValue(attribute);
  }

  @Override
  public void close() throws IOException {
    jar.close();
  }
}
