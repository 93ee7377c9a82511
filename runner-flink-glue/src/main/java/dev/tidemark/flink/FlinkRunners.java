package dev.tidemark.flink;

import java.util.Set;
import org.apache.beam.sdk.options.PipelineOptions;

/** The runners of Flink by their names, since not all of them are on the class path. */
final class FlinkRunners {
  private static final String FLINK = "org.apache.beam.runners.flink.FlinkRunner";
  private static final String TEST_FLINK = "org.apache.beam.runners.flink.TestFlinkRunner";
  private static final Set<String> PORTABLE =
      Set.of(
          "org.apache.beam.runners.portability.PortableRunner",
          "org.apache.beam.runners.portability.testing.TestPortableRunner");

  private FlinkRunners() {}

  static boolean isClassic(PipelineOptions options) {
    String runner = name(options);
    return runner.equals(FLINK) || runner.equals(TEST_FLINK);
  }

  static boolean isPortable(PipelineOptions options) {
    return PORTABLE.contains(name(options));
  }

  static String name(PipelineOptions options) {
    return options.getRunner() == null ? "" : options.getRunner().getName();
  }
}
