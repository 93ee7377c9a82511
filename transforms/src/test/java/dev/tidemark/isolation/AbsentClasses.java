package dev.tidemark.isolation;

/** Refuses class paths that hold more than they should. */
final class AbsentClasses {

  /**
   * Checks that none of these classes can be loaded.
   *
   * @throws IllegalStateException if one can, naming where it comes from
   */
  static void check(String... names) {
    for (String name : names) {
      try {
        Class<?> present =
            Class.forName(name, /* initialize= */ false, AbsentClasses.class.getClassLoader());
        throw new IllegalStateException(
            "Cannot run alone: %s is on the class path, in %s"
                .formatted(name, present.getProtectionDomain().getCodeSource().getLocation()));
      } catch (ClassNotFoundException absent) {
        continue;
      }
    }
  }

  private AbsentClasses() {}
}
