package dev.tidemark.docs;

/** What this JVM was started with. */
final class Jvm {
  private Jvm() {}

  /** Surefire may have put the class path into a manifest. */
  static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
