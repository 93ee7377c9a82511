package dev.tidemark.examples.cdc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.change.DebeziumRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.beam.sdk.io.UnboundedSource.UnboundedReader;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.CoderUtils;
import org.joda.time.Instant;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Lines of files in order, from where a mark says. */
public class EventFilesTest {
  private static final PipelineOptions OPTIONS = PipelineOptionsFactory.create();

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Before
  public void write() throws IOException {
    Path root = folder.getRoot().toPath();
    Files.writeString(root.resolve("1.jsonl"), line("a", 1_000) + "\n\n" + line("b", 5_000) + "\n");
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(root.resolve("2.jsonl.gz")))) {
      out.write((line("c", 3_000) + "\n" + line("d", 4_000)).getBytes(UTF_8));
    }
  }

  private static String line(String key, long millis) {
    return String.format(
        "{\"topic\": \"t\", \"key\": \"%s\", \"value\": {\"source\": {\"ts_ms\": %s}}}",
        key, millis);
  }

  private EventFiles files(String pattern) {
    return EventFiles.matching(
        StaticValueProvider.of(folder.getRoot() + "/" + pattern), StaticValueProvider.of(2));
  }

  private static List<String> rest(UnboundedReader<DebeziumRecord> reader, boolean first)
      throws IOException {
    List<String> keys = new ArrayList<>();
    boolean more = first ? reader.start() : reader.advance();
    while (more) {
      keys.add(reader.getCurrent().key());
      more = reader.advance();
    }
    return keys;
  }

  @Test
  public void linesComeInTheOrderOfFiles() throws IOException {
    try (UnboundedReader<DebeziumRecord> reader = files("*").createReader(OPTIONS, null)) {
      assertThat(rest(reader, true), contains("\"a\"", "\"b\"", "\"c\"", "\"d\""));
      assertThat(reader.getWatermark(), is(BoundedWindow.TIMESTAMP_MAX_VALUE));
    }
  }

  @Test
  public void restoredReaderGoesOnAtItsLine() throws IOException {
    EventFiles files = files("*");
    for (int read = 1; read <= 4; read++) {
      List<String> keys = new ArrayList<>();
      EventFiles.Mark mark;
      try (UnboundedReader<DebeziumRecord> reader = files.createReader(OPTIONS, null)) {
        for (int i = 0; i < read; i++) {
          assertThat(i == 0 ? reader.start() : reader.advance(), is(true));
          keys.add(reader.getCurrent().key());
        }
        mark =
            CoderUtils.clone(
                files.getCheckpointMarkCoder(), (EventFiles.Mark) reader.getCheckpointMark());
      }
      try (UnboundedReader<DebeziumRecord> reader = files.createReader(OPTIONS, mark)) {
        keys.addAll(rest(reader, true));
      }
      assertThat(keys, contains("\"a\"", "\"b\"", "\"c\"", "\"d\""));
    }
  }

  @Test
  public void watermarkStaysBehindTheLatestSourceTimeOfTheLastFile() throws IOException {
    try (UnboundedReader<DebeziumRecord> reader = files("*").createReader(OPTIONS, null)) {
      reader.start();
      assertThat(reader.getCurrentTimestamp(), is(Instant.ofEpochMilli(1_000)));
      assertThat(reader.getWatermark(), is(BoundedWindow.TIMESTAMP_MIN_VALUE));
      reader.advance();
      reader.advance();
      assertThat(reader.getCurrentTimestamp(), is(Instant.ofEpochMilli(3_000)));
      assertThat(reader.getWatermark(), is(Instant.ofEpochMilli(3_000)));
    }
    try (UnboundedReader<DebeziumRecord> reader = files("1*").createReader(OPTIONS, null)) {
      reader.start();
      assertThat(reader.getWatermark(), is(Instant.ofEpochMilli(-1_000)));
    }
  }

  @Test
  public void splitsShareTheFiles() throws Exception {
    List<String> keys = new ArrayList<>();
    for (EventFiles split : files("*").split(3, OPTIONS)) {
      try (UnboundedReader<DebeziumRecord> reader = split.createReader(OPTIONS, null)) {
        keys.addAll(rest(reader, true));
      }
    }
    assertThat(keys, containsInAnyOrder("\"a\"", "\"b\"", "\"c\"", "\"d\""));
  }

  @Test
  public void missingFilesAreNamed() {
    assertThat(
        assertThrows(IOException.class, () -> files("x*").createReader(OPTIONS, null)).getMessage(),
        containsString("Cannot read change events: "));
  }

  @Test
  public void markOfOtherFilesIsRefused() throws IOException {
    EventFiles files = files("*");
    EventFiles.Mark mark;
    try (UnboundedReader<DebeziumRecord> reader = files.createReader(OPTIONS, null)) {
      reader.start();
      mark = (EventFiles.Mark) reader.getCheckpointMark();
    }
    Files.writeString(folder.getRoot().toPath().resolve("0.jsonl"), line("e", 1) + "\n");
    assertThat(
        assertThrows(IOException.class, () -> files.createReader(OPTIONS, mark)).getMessage(),
        containsString("other files match than when the checkpoint was made"));
  }

  @Test
  public void lineThatIsNoEventIsARecordOfItsFile() throws IOException {
    Files.writeString(folder.getRoot().toPath().resolve("0.jsonl"), "{broken\n[1]\n");
    try (UnboundedReader<DebeziumRecord> reader = files("*").createReader(OPTIONS, null)) {
      assertThat(reader.start(), is(true));
      assertThat(reader.getCurrent(), is(DebeziumRecord.of("0.jsonl", null, "{broken")));
      assertThat(reader.advance(), is(true));
      assertThat(reader.getCurrent(), is(DebeziumRecord.of("0.jsonl", null, "[1]")));
      assertThat(rest(reader, false), contains("\"a\"", "\"b\"", "\"c\"", "\"d\""));
    }
  }
}
