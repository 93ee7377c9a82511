package dev.tidemark.examples.cdc;

import com.google.common.collect.ImmutableMap;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * Places that Beam's file systems are to know. All but the local one are artifacts of their own,
 * and one that is missing shows only when the first file is opened.
 */
final class BeamFiles {
  /** As Beam takes a place apart; whatever has no scheme is local. */
  private static final Pattern WITH_SCHEME = Pattern.compile("(?s)([a-zA-Z][-a-zA-Z0-9+.]*):/.*");

  private static final ImmutableMap<String, String> ARTIFACTS =
      ImmutableMap.of(
          "s3", "org.apache.beam:beam-sdks-java-io-amazon-web-services2",
          "gs", "org.apache.beam:beam-sdks-java-extensions-google-cloud-platform-core",
          "azfs", "org.apache.beam:beam-sdks-java-io-azure",
          "hdfs", "org.apache.beam:beam-sdks-java-io-hadoop-file-system",
          "webhdfs", "org.apache.beam:beam-sdks-java-io-hadoop-file-system");

  private BeamFiles() {}

  /**
   * Refuses a place for which there is no file system, where a pipeline is launched and Beam does
   * not know its options yet.
   */
  static void require(String option, String place, PipelineOptions options) {
    if (WITH_SCHEME.matcher(place).matches()) {
      FileSystems.setDefaultPipelineOptions(options);
    }
    require(option, place);
  }

  /**
   * Refuses a place for which there is no file system.
   *
   * @throws IllegalArgumentException naming the option and what is missing
   */
  static void require(String option, String place) {
    try {
      FileSystems.matchNewResource(place, true);
    } catch (IllegalArgumentException e) {
      Matcher matcher = WITH_SCHEME.matcher(place);
      String scheme = matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "file";
      throw new IllegalArgumentException(
          String.format(
              "Option --%s is %s, and no file system of Beam on the class path takes it: %s. Add %s to"
                  + " the job's jar, or name a place that is mounted by all processes",
              option,
              place,
              e.getMessage(),
              ARTIFACTS.getOrDefault(scheme, "the artifact that brings it")),
          e);
    }
  }
}
