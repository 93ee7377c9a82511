package dev.tidemark.examples.cdc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.Channels;
import java.time.Clock;
import java.time.LocalDate;
import java.util.UUID;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResolveOptions.StandardResolveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.transforms.DoFn;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Writes lines to files of a folder: {@code <day>/<random name>.jsonl}, one for each bundle that
 * has any, complete when the bundle ends. A bundle that is repeated after a failure writes its
 * lines again.
 */
final class WriteFolderFn extends DoFn<String, Void> {
  private final String option;
  private final ValueProvider<String> folder;
  private final Clock clock;

  private transient @Nullable BufferedWriter open;

  /** Writes to the folder that an option names. */
  WriteFolderFn(String option, ValueProvider<String> folder, Clock clock) {
    this.option = option;
    this.folder = folder;
    this.clock = clock;
  }

  /** Long before the first line, which may come after days. */
  @Setup
  public void setup() {
    BeamFiles.require(option, folder.get());
  }

  @StartBundle
  public void start() {
    open = null;
  }

  @ProcessElement
  public void process(@Element String line) throws IOException {
    BufferedWriter writer = open;
    if (writer == null) {
      writer = create();
      open = writer;
    }
    writer.write(line);
    writer.write('\n');
  }

  private BufferedWriter create() throws IOException {
    ResourceId file =
        FileSystems.matchNewResource(folder.get(), true)
            .resolve(LocalDate.now(clock).toString(), StandardResolveOptions.RESOLVE_DIRECTORY)
            .resolve(UUID.randomUUID() + ".jsonl", StandardResolveOptions.RESOLVE_FILE);
    return new BufferedWriter(
        Channels.newWriter(FileSystems.create(file, "application/x-ndjson"), UTF_8));
  }

  @FinishBundle
  public void finish() throws IOException {
    BufferedWriter writer = open;
    if (writer != null) {
      writer.close();
    }
  }
}
