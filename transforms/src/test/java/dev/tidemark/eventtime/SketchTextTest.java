package dev.tidemark.eventtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import com.google.common.io.Resources;
import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class SketchTextTest {
  private static final long HOUR = EventTimeSketch.HOUR_MILLIS;
  private static final long QUARTER = EventTimeSketch.QUARTER_HOUR_MILLIS;
  private static final int FLIPS = 4_000;
  private static final long MAX_ALLOCATION = 64 * 1024;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  public void textsOfVersion1StayAsTheyAre() throws IOException {
    Map<String, String> golden = golden("ets1.txt");
    Map<String, EventTimeSketch> sketches = goldenSketches();
    assertThat(golden.keySet(), equalTo(sketches.keySet()));
    sketches.forEach(
        (name, sketch) -> {
          assertThat(name, sketch.toText(), is(golden.get(name)));
          assertThat(name, EventTimeSketch.fromText(golden.get(name)), equalTo(sketch));
        });
  }

  /** Builders of the same version may merge other neighbours, for which other buffers suffice. */
  @Test
  public void textsOfVersion1FromOtherBuildersReadBackAsTheyAre() throws IOException {
    Map<String, EventTimeSketch> sketches = goldenSketches();
    golden("ets1-other-builders.txt")
        .forEach(
            (name, text) -> {
              EventTimeSketch read = EventTimeSketch.fromText(text);
              EventTimeSketch built = sketches.get(name);
              assertThat(name, read.toText(), is(text));
              assertThat(name, text, is(not(built.toText())));
              assertThat(name, read.minMillis(), is(built.minMillis()));
              assertThat(name, read.maxMillis(), is(built.maxMillis()));
              assertThat(name, read.countsByBucket(), equalTo(built.countsByBucket()));
            });
  }

  @Test
  public void textReadsBackToTheSameText() {
    EventTimes.ALL.forEach(
        (name, times) -> {
          EventTimeSketch sketch = EventTimeSketch.of(HOUR, times.apply(50_000, 1L));
          EventTimeSketch read = EventTimeSketch.fromText(sketch.toText());
          assertThat(name, read, equalTo(sketch));
          assertThat(name, read.hashCode(), is(sketch.hashCode()));
          assertThat(name, read.toText(), is(sketch.toText()));
        });
  }

  @Test
  public void flippedBitsAreRefusedWithoutAllocating() {
    Random random = new Random(2);
    List<String> texts = texts();
    long most = 0;
    for (int i = 0; i < FLIPS; i++) {
      String text = texts.get(i % texts.size());
      int at = random.nextInt(text.length());
      char flipped = (char) (text.charAt(at) ^ (1 << random.nextInt(8)));
      most = Math.max(most, refuse(text.substring(0, at) + flipped + text.substring(at + 1)));
    }
    assertThat(most, lessThanOrEqualTo(MAX_ALLOCATION));
  }

  @Test
  public void flippedBitsOfTheBytesAreRefusedWithoutAllocating() {
    Random random = new Random(3);
    List<String> texts = texts();
    long most = 0;
    for (int i = 0; i < FLIPS; i++) {
      byte[] bytes = bytes(texts.get(i % texts.size()));
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      most = Math.max(most, refuse(text(bytes)));
    }
    assertThat(most, lessThanOrEqualTo(MAX_ALLOCATION));
  }

  @Test
  public void truncationsAreRefusedWithoutAllocating() {
    long most = 0;
    for (String text : texts()) {
      for (int length = 0; length < text.length(); length++) {
        most = Math.max(most, refuse(text.substring(0, length)));
      }
      most = Math.max(most, refuse(text + "A"));
      most = Math.max(most, refuse(text + "="));
      most = Math.max(most, refuse(text + text));
    }
    assertThat(most, lessThanOrEqualTo(MAX_ALLOCATION));
  }

  @Test
  public void hostileHeadersAreRefusedWithoutAllocating() {
    long huge = 1L << 53;
    long beyond = Long.MAX_VALUE;
    long[][] bodies = {
      {}, // nothing
      {1}, // cut off
      {2, 50, 60, 60, 0}, // version
      {0, 50, 60, 60, 0},
      {1, 100, 60, 60, 0}, // k
      {1, 50, 30, 30, 0}, // boundary
      {1, 50, 60, 15, 1, 0, 0, 1, 0, 1}, // width below the boundary
      {1, 50, 60, 120, 1, 0, 0, 1, 0, 1}, // width off the ladder
      {1, 50, 60, beyond, 1, 0, 0, 1, 0, 1},
      {1, 50, 60, 180, 0}, // wide without a record
      {1, 50, 60, 60, 0, 0}, // bytes left over
      {1, 50, 60, 60, huge + 1, 0, 0, 1, 0, huge + 1}, // count
      {1, 50, 60, 60, beyond, 0, 0, 1, 0, beyond},
      {1, 50, 60, 60, 2, 2 * huge + 1, 0, 1, 0, 2}, // minimum
      {1, 50, 60, 60, 2, 2, huge, 1, 0, 2}, // maximum
      {1, 50, 60, 60, 2, 0, beyond, 1, 0, 2},
      {1, 50, 60, 60, 2, 0, 5, 0}, // no centroid
      {1, 50, 60, 60, huge, 0, 5, Integer.MAX_VALUE, 0, 1}, // more centroids than bytes
      {1, 50, 60, 60, huge, 0, 5, beyond, 0, 1},
      {1, 50, 60, 60, 1, 0, 0, 2, 0, 1, 0, 1}, // more centroids than records
      {1, 50, 60, 60, 2, 0, 5, 2, 0, 1, 0, 1}, // equal means
      {1, 50, 60, 60, 2, 0, 5, 2, 0, 1, 6, 1}, // beyond the maximum
      {1, 50, 60, 60, 3, 0, 5, 2, 0, 1, 5, 1}, // too few
      {1, 50, 60, 60, 3, 0, 5, 2, 0, 2, 5, 2}, // too many
      {1, 50, 60, 60, 3, 0, 5, 2, 0, beyond, 5, beyond}, // overflow
      {1, 50, 60, 60, 3, 0, 5, 2, 0, 0, 5, 3}, // weightless
      {1, 50, 60, 60, 1, 0, 5, 1, 0, 1}, // one record with a span
      {1, 50, 60, 60, 2, 0, HOUR, 1, 0, 2}, // no centroid near the maximum
      {1, 50, 60, 60, 2, 0, HOUR, 1, HOUR, 2}, // nor the minimum
    };
    long most = 0;
    for (long[] body : bodies) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (long value : body) {
        Varints.write(value, out);
      }
      most = Math.max(most, refuse(text(sealed(out.toByteArray()))));
    }
    assertThat(most, lessThanOrEqualTo(MAX_ALLOCATION));
  }

  @Test
  public void tooManyBucketsAreRefused() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int n = BucketWidths.MAX_OCCUPIED + 1;
    for (long value : new long[] {1, 50, 60, 60, n, 0, HOUR * (n - 1), n}) {
      Varints.write(value, out);
    }
    for (int i = 0; i < n; i++) {
      Varints.write(i == 0 ? 0 : HOUR, out);
      Varints.write(1, out);
    }
    refuse(text(sealed(out.toByteArray())));
  }

  @Test
  public void numbersOfExcessLengthAreRefused() {
    refuse(text(sealed(new byte[] {1, 50, 60, 60, (byte) 0x80, 0})));
    byte[] endless = new byte[40];
    Arrays.fill(endless, (byte) 0xff);
    endless[0] = 1;
    refuse(text(sealed(endless)));
  }

  @Test
  public void strayTrailingBitsAreRefused() {
    for (String text : texts()) {
      for (char last = ' '; last <= 'z'; last++) {
        if (last != text.charAt(text.length() - 1)) {
          refuse(text.substring(0, text.length() - 1) + last);
        }
      }
    }
  }

  @Test
  public void longAndForeignTextsAreRefusedByReason() {
    String tooLong = SketchText.PREFIX + "A".repeat(SketchText.MAX_CHARS);
    assertThat(refusal(tooLong).getMessage(), containsString("(must be <= 8192)"));
    assertThat(refusal("ets2:AAAA").getMessage(), containsString("another version"));
    assertThat(refusal("ets1:\u20ac\u20ac").getMessage(), containsString("base64url"));
    String damaged = text(new byte[] {1, 50, 60, 60, 0, 1, 2, 3, 4});
    assertThat(refusal(damaged).getMessage(), containsString("checksum"));
    assertThat(refuse(tooLong + tooLong), lessThan(MAX_ALLOCATION));
  }

  @Test
  public void randomBytesBehindAValidChecksumNeverDoMoreThanFail() {
    Random random = new Random(4);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      byte[] start = {1, 50, 60, 60};
      System.arraycopy(start, 0, bytes, 0, Math.min(start.length, bytes.length));
      String text = text(sealed(bytes));
      try {
        assertThat(EventTimeSketch.fromText(text).toText(), is(text));
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage(), containsString("Cannot read event-time sketch"));
      }
    }
  }

  @Test
  public void pythonRecoversExactFigures() throws Exception {
    boolean ci = "true".equals(System.getenv("CI")) || Boolean.getBoolean("CI");
    boolean available = hasPython();
    if (ci && !available) {
      fail("python3 is not on the PATH, which continuous integration has to provide");
    }
    assumeTrue("skipped: python3 is not on the PATH", available);
    List<EventTimeSketch> sketches = new ArrayList<>(goldenSketches().values());
    EventTimes.ALL.forEach(
        (name, times) -> sketches.add(EventTimeSketch.of(HOUR, times.apply(20_000, 5L))));
    for (EventTimeSketch sketch : sketches) {
      JsonNode read = python(sketch.toText());
      assertThat(read.get("count").longValue(), is(sketch.count()));
      assertThat(read.get("width").longValue(), is(sketch.widthMillis()));
      Map<Long, Long> counts = new TreeMap<>();
      read.get("counts")
          .fields()
          .forEachRemaining(e -> counts.put(Long.valueOf(e.getKey()), e.getValue().longValue()));
      assertThat(counts, equalTo(sketch.countsByBucket()));
      if (!sketch.isEmpty()) {
        assertThat(read.get("min").longValue(), is(sketch.minMillis()));
        assertThat(read.get("max").longValue(), is(sketch.maxMillis()));
      }
    }
  }

  private static JsonNode python(String text) throws Exception {
    // Surefire runs in the module's folder, an IDE in the root.
    Path script = Path.of("..", "docs", "ets1.py");
    Path found = Files.exists(script) ? script : Path.of("docs", "ets1.py");
    Process process =
        new ProcessBuilder("python3", found.toString(), text).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS), is(true));
    assertThat(output, process.exitValue(), is(0));
    return new ObjectMapper().readTree(output);
  }

  private static boolean hasPython() {
    return Splitter.on(File.pathSeparatorChar)
        .splitToStream(Strings.nullToEmpty(System.getenv("PATH")))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
  }

  private static Map<String, EventTimeSketch> goldenSketches() {
    Map<String, EventTimeSketch> sketches = new TreeMap<>();
    sketches.put("empty", EventTimeSketch.empty(HOUR));
    sketches.put("single", EventTimeSketch.of(HOUR, EventTimes.NOW));
    sketches.put("negative", EventTimeSketch.of(QUARTER, -1, 0, -HOUR, 5 * HOUR));
    sketches.put("ascending", EventTimeSketch.of(HOUR, EventTimes.ascending(20_000, 5 * HOUR)));
    sketches.put("widened", EventTimeSketch.of(HOUR, EventTimes.ascending(2_000, 500 * HOUR)));
    return sketches;
  }

  /** Lines of name, blank, text. */
  private static Map<String, String> golden(String resource) throws IOException {
    Map<String, String> golden = new TreeMap<>();
    for (String line :
        Resources.readLines(Resources.getResource(SketchTextTest.class, resource), UTF_8)) {
      List<String> parts = Splitter.on(' ').splitToList(line);
      golden.put(parts.get(0), parts.get(1));
    }
    return golden;
  }

  private static List<String> texts() {
    List<String> texts = new ArrayList<>();
    goldenSketches().values().forEach(sketch -> texts.add(sketch.toText()));
    EventTimes.ALL.forEach(
        (name, times) -> texts.add(EventTimeSketch.of(HOUR, times.apply(20_000, 6L)).toText()));
    assertThat(texts.size(), greaterThan(10));
    return texts;
  }

  /** Bytes that a reader allocates until it refuses a text. */
  private static long refuse(String text) {
    long thread = Thread.currentThread().getId();
    long before = THREADS.getThreadAllocatedBytes(thread);
    try {
      EventTimeSketch.fromText(text);
    } catch (IllegalArgumentException e) {
      return THREADS.getThreadAllocatedBytes(thread) - before;
    }
    throw new AssertionError("accepted: " + text);
  }

  private static IllegalArgumentException refusal(String text) {
    return assertThrows(IllegalArgumentException.class, () -> EventTimeSketch.fromText(text));
  }

  private static byte[] sealed(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    byte[] sealed = Arrays.copyOf(body, body.length + 4);
    for (int i = 0; i < 4; i++) {
      sealed[body.length + i] = (byte) (crc.getValue() >>> (24 - 8 * i));
    }
    return sealed;
  }

  private static byte[] bytes(String text) {
    return Base64.getUrlDecoder().decode(text.substring(SketchText.PREFIX.length()));
  }

  private static String text(byte[] bytes) {
    return SketchText.PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
