package dev.tidemark.examples.cdc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.change.DebeziumRecordCoder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * Change events from the lines of files. Unbounded, so that a restored pipeline goes on at the line
 * where its checkpoint was (a bounded source of Beam would begin again); the input ends after the
 * last line.
 *
 * <p>Each file is read by one split, in order; a split reads its files in the order of their names.
 */
final class EventFiles extends UnboundedSource<DebeziumRecord, EventFiles.Mark> {
  private final ValueProvider<String> pattern;
  private final ValueProvider<Integer> delaySeconds;
  private final int split;
  private final int splits;

  private EventFiles(
      ValueProvider<String> pattern, ValueProvider<Integer> delaySeconds, int split, int splits) {
    this.pattern = pattern;
    this.delaySeconds = delaySeconds;
    this.split = split;
    this.splits = splits;
  }

  /**
   * The files that a pattern matches when the pipeline starts.
   *
   * @param delaySeconds how far the watermark stays behind the latest source time
   */
  static EventFiles matching(ValueProvider<String> pattern, ValueProvider<Integer> delaySeconds) {
    return new EventFiles(pattern, delaySeconds, 0, 1);
  }

  /** What has been read: whole files, and lines of the one after them. */
  static final class Mark implements UnboundedSource.CheckpointMark, Serializable {
    /** Of the names of the split's files. */
    private final int names;

    private final int files;
    private final long lines;
    private final long latestMillis;

    Mark(int names, int files, long lines, long latestMillis) {
      this.names = names;
      this.files = files;
      this.lines = lines;
      this.latestMillis = latestMillis;
    }

    @Override
    public void finalizeCheckpoint() {
      // Files stay where they are.
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Mark that
          && names == that.names
          && files == that.files
          && lines == that.lines
          && latestMillis == that.latestMillis;
    }

    @Override
    public int hashCode() {
      return 31 * files + Long.hashCode(lines);
    }
  }

  /** Which files there are is not looked at here: this may run where the pipeline is launched. */
  @Override
  public List<EventFiles> split(int desiredNumSplits, PipelineOptions options) {
    return IntStream.range(0, desiredNumSplits)
        .mapToObj(number -> new EventFiles(pattern, delaySeconds, number, desiredNumSplits))
        .toList();
  }

  @Override
  public UnboundedReader<DebeziumRecord> createReader(PipelineOptions options, @Nullable Mark mark)
      throws IOException {
    List<Metadata> files = files();
    int names = files.stream().map(EventFiles::name).toList().hashCode();
    if (mark != null && mark.names != names) {
      throw new IOException(
          String.format(
              "Cannot go on reading %s: other files match than when the checkpoint was made. Put those"
                  + " back that did, and read new ones with another job",
              pattern.get()));
    }
    return new Reader(files, mark == null ? new Mark(names, 0, 0, Long.MIN_VALUE) : mark);
  }

  private List<Metadata> files() throws IOException {
    List<Metadata> all =
        new ArrayList<>(FileSystems.match(pattern.get(), EmptyMatchTreatment.ALLOW).metadata());
    if (all.isEmpty()) {
      throw new IOException(
          String.format(
              "Cannot read change events: no file matches %s. Correct --inputFiles",
              pattern.get()));
    }
    all.sort(Comparator.comparing(EventFiles::name));
    return all.stream()
        // Not by place: readers list the files for themselves, and one may have come in between.
        .filter(file -> Math.floorMod(name(file).hashCode(), splits) == split)
        .toList();
  }

  private static String name(Metadata file) {
    return file.resourceId().toString();
  }

  @Override
  public Coder<Mark> getCheckpointMarkCoder() {
    return SerializableCoder.of(Mark.class);
  }

  @Override
  public Coder<DebeziumRecord> getOutputCoder() {
    return DebeziumRecordCoder.of();
  }

  private final class Reader extends UnboundedReader<DebeziumRecord> {
    private final List<Metadata> files;
    private final int names;
    private final Duration delay = Duration.standardSeconds(delaySeconds.get());
    private int file;
    private long line;
    private long latestMillis;
    private @Nullable BufferedReader open;
    private @Nullable EventLine current;

    Reader(List<Metadata> files, Mark mark) throws IOException {
      this.files = files;
      this.names = mark.names;
      this.file = mark.files;
      this.latestMillis = mark.latestMillis;
      if (mark.lines > 0) {
        open = open(files.get(file));
        while (line < mark.lines) {
          open.readLine();
          line++;
        }
      }
    }

    @Override
    public boolean start() throws IOException {
      return advance();
    }

    @Override
    public boolean advance() throws IOException {
      while (file < files.size()) {
        if (open == null) {
          open = open(files.get(file));
        }
        String text = open.readLine();
        if (text == null) {
          open.close();
          open = null;
          file++;
          line = 0;
          continue;
        }
        line++;
        if (!text.isBlank()) {
          take(text);
          return true;
        }
      }
      current = null;
      return false;
    }

    private void take(String text) {
      try {
        current = EventLine.parse(text);
      } catch (IOException e) {
        current = EventLine.unreadable(files.get(file).resourceId().getFilename(), text);
      }
      Instant time = current.sourceTime();
      if (time != null) {
        latestMillis = Math.max(latestMillis, time.getMillis());
      }
    }

    @Override
    public DebeziumRecord getCurrent() {
      return event().record();
    }

    @Override
    public Instant getCurrentTimestamp() {
      Instant time = event().sourceTime();
      return time == null ? getWatermark() : time;
    }

    private EventLine event() {
      if (current == null) {
        throw new NoSuchElementException();
      }
      return current;
    }

    @Override
    public Instant getWatermark() {
      if (file == files.size()) {
        return BoundedWindow.TIMESTAMP_MAX_VALUE;
      }
      // A file that is still to come may begin as early as this one.
      return latestMillis == Long.MIN_VALUE || file < files.size() - 1
          ? BoundedWindow.TIMESTAMP_MIN_VALUE
          : Instant.ofEpochMilli(latestMillis).minus(delay);
    }

    @Override
    public Mark getCheckpointMark() {
      return new Mark(names, file, line, latestMillis);
    }

    @Override
    public UnboundedSource<DebeziumRecord, ?> getCurrentSource() {
      return EventFiles.this;
    }

    @Override
    public void close() throws IOException {
      if (open != null) {
        open.close();
      }
    }
  }

  private static BufferedReader open(Metadata file) throws IOException {
    InputStream in = Channels.newInputStream(FileSystems.open(file.resourceId()));
    boolean packed = file.resourceId().toString().endsWith(".gz");
    return new BufferedReader(new InputStreamReader(packed ? new GZIPInputStream(in) : in, UTF_8));
  }
}
