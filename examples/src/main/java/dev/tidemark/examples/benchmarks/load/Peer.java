package dev.tidemark.examples.benchmarks.load;

import com.google.common.collect.ImmutableList;

/**
 * One way to write the rows, run in a process of its own.
 *
 * @param name what is run, which also names its class path
 * @param label its options, for people
 * @param mainClass name of the class to run
 * @param options what the class is told to do differently, see {@link PeerSettings#has}
 */
public record Peer(String name, String label, String mainClass, ImmutableList<String> options) {
  /** Name of the system property that has the class path. */
  String classPathProperty() {
    return PeerSettings.PREFIX + "classPath." + mainClass.substring(mainClass.lastIndexOf('.') + 1);
  }
}
