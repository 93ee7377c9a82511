package dev.tidemark.examples.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import dev.tidemark.eventtime.EventTimeSketch;
import dev.tidemark.eventtime.EventTimeSketchBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.datasketches.tdigest.TDigestDouble;

/** A sketch under comparison. */
enum SketchCandidate {
  TIDEMARK {
    @Override
    Round round(long[] eventTimes) {
      long start = cpuNanos();
      EventTimeSketchBuilder builder = EventTimeSketch.builder(EventTimeSketch.HOUR_MILLIS);
      for (long millis : eventTimes) {
        builder.add(millis);
      }
      // What is still buffered gets merged, as it would be at the end of a bundle.
      EventTimeSketch sketch = builder.build();
      long nanos = cpuNanos() - start;
      String text = sketch.toText();
      byte[] bytes = Base64.getUrlDecoder().decode(text.substring(text.indexOf(':') + 1));
      return new Round((double) nanos / eventTimes.length, bytes.length);
    }
  },

  DATASKETCHES {
    @Override
    Round round(long[] eventTimes) {
      long start = cpuNanos();
      TDigestDouble digest = new TDigestDouble((short) 100);
      for (long millis : eventTimes) {
        digest.update((double) millis);
      }
      digest.compress();
      long nanos = cpuNanos() - start;
      return new Round((double) nanos / eventTimes.length, digest.toByteArray().length);
    }
  };

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Collects all event times once. */
  abstract Round round(long[] eventTimes);

  static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** Answers each line, the name of a stream, with one round, until the input ends. */
  static void serve(SketchCandidate candidate, InputStream in, PrintStream out) throws IOException {
    Map<SketchStream, long[]> streams = new EnumMap<>(SketchStream.class);
    BufferedReader requests = new BufferedReader(new InputStreamReader(in, UTF_8));
    for (String name = requests.readLine(); name != null; name = requests.readLine()) {
      SketchStream stream = SketchStream.valueOf(name);
      out.println(candidate.round(streams.computeIfAbsent(stream, SketchStream::eventTimes)));
      out.flush();
    }
  }

  /** One pass over a stream. */
  record Round(double nanosPerUpdate, int bytes) {
    static Round parse(String line) {
      List<String> parts = Splitter.on(' ').splitToList(line);
      return new Round(Double.parseDouble(parts.get(0)), Integer.parseInt(parts.get(1)));
    }

    @Override
    public String toString() {
      return nanosPerUpdate + " " + bytes;
    }
  }
}
