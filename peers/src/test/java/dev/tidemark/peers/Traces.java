package dev.tidemark.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.zip.GZIPInputStream;

/** The recorded runs, of Flink 2.3.0. */
final class Traces {
  private static final String RESOURCE = "/dev/tidemark/candidates/testing/traces.jsonl.gz";

  private Traces() {}

  /** Those with columns of types that are known here. */
  static ImmutableList<Trace> all() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ImmutableList.Builder<Trace> traces = ImmutableList.builder();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Traces.class.getResourceAsStream(RESOURCE)), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode trace = mapper.readTree(line);
        if (Trace.known(trace)) {
          traces.add(Trace.of(trace));
        }
      }
    }
    return traces.build();
  }
}
