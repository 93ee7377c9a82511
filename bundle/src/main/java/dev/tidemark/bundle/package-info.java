/**
 * The deployable jar: the library with what it needs, and its programs.
 *
 * <p>On a Flink cluster the jar has everything but what the cluster has in its own {@code lib}
 * folder: Flink, RocksDB, the log and a few codecs. On a bare JVM {@link
 * dev.tidemark.bundle.Launcher} adds what is missing from jars inside of the jar, so that {@code
 * java -jar} shows help, and runs programs on the direct runner.
 */
package dev.tidemark.bundle;
