package dev.tidemark.examples.benchmarks.materializer;

import com.google.common.base.Splitter;
import java.util.Map;

/**
 * What one run took.
 *
 * @param cpuMicros CPU microseconds of the process per row
 * @param stateBytes bytes of a full checkpoint at the end
 * @param rows that were measured
 * @param emitted rows that were emitted, those before the measured ones included
 */
record Figures(double cpuMicros, long rowsPerSecond, long stateBytes, long rows, long emitted) {

  /** Reads the line that {@link Measurement} prints. */
  static Figures parse(String line) {
    Map<String, String> values =
        Splitter.on(' ')
            .withKeyValueSeparator('=')
            .split(line.substring(Measurement.LINE.length() + 1));
    return new Figures(
        Double.parseDouble(values.get("cpu_us")),
        Long.parseLong(values.get("rows_per_s")),
        Long.parseLong(values.get("state_bytes")),
        Long.parseLong(values.get("rows")),
        Long.parseLong(values.get("emitted")));
  }
}
