package dev.tidemark.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.checkerframework.checker.nullness.qual.Nullable;
import picocli.CommandLine.Option;

/** Where a page goes, and in which zone it tells times. */
final class PageOptions {
  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "The page: one HTML file that needs nothing else. It is overwritten.")
  private @Nullable Path output;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "Zone of times on the page and of times without an offset, such as Europe/Berlin."
              + " Default: UTC.")
  private @Nullable String zone;

  ZoneId zone() {
    ZoneId given = Times.zone(zone);
    return given == null ? ZoneOffset.UTC : given;
  }

  /** Whether a page is wanted. */
  boolean isGiven() {
    return output != null;
  }

  /** Writes the page; returns a sentence for people, empty where no page is wanted. */
  String write(String page) {
    if (output == null) {
      return "";
    }
    try {
      Files.writeString(output, page, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "Cannot write page %s: %s. Check that its folder exists and can be written to."
              .formatted(output, e.getClass().getSimpleName()),
          e);
    }
    return "%nWritten to %s (%d KB).".formatted(output, (page.length() + 1023) / 1024);
  }
}
