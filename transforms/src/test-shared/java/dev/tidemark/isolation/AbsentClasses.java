package dev.tidemark.isolation;

import org.checkerframework.checker.nullness.qual.Nullable;

/** Refuses class paths that hold more than they should. */
final class AbsentClasses {

  /**
   * Checks that none of these classes can be loaded.
   *
   * @throws IllegalStateException if one can, naming where it comes from
   */
  static void check(String... names) {
    for (String name : names) {
      Class<?> present = find(name);
      if (present != null) {
        throw new IllegalStateException(
            "Cannot run alone: %s is on the class path, in %s"
                .formatted(name, present.getProtectionDomain().getCodeSource().getLocation()));
      }
    }
  }

  private static @Nullable Class<?> find(String name) {
    try {
      return Class.forName(name, /* initialize= */ false, AbsentClasses.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private AbsentClasses() {}
}
