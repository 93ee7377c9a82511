package dev.tidemark.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** The recorded runs. */
final class Traces {
  private static final String RESOURCE = "/released-traces.jsonl";

  private Traces() {}

  static ImmutableList<Trace> all() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ImmutableList.Builder<Trace> traces = ImmutableList.builder();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Traces.class.getResourceAsStream(RESOURCE), UTF_8))) {
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
