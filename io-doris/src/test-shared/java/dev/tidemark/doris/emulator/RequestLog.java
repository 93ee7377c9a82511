package dev.tidemark.doris.emulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The requests that came, in the order of their heads. */
final class RequestLog {

  private static final int MAX_REQUESTS = 100_000;

  private final Map<Long, RequestInfo> requests = new LinkedHashMap<>();
  private long next;

  synchronized long start(
      String server, RequestHead head, @Nullable String label, @Nullable Fault fault) {
    Map<String, String> headers = new LinkedHashMap<>(head.headers());
    headers.replace("authorization", "***");
    requests.put(
        next,
        new RequestInfo(
            server,
            head.method(),
            head.target(),
            Collections.unmodifiableMap(headers),
            0,
            label,
            fault == null ? null : fault.kind().name()));
    if (requests.size() > MAX_REQUESTS) {
      requests.remove(requests.keySet().iterator().next());
    }
    return next++;
  }

  synchronized void end(long id, Exchange exchange) {
    requests.computeIfPresent(
        id,
        (unused, info) ->
            new RequestInfo(
                info.server(),
                info.method(),
                info.path(),
                info.headers(),
                exchange.bodyBytes(),
                info.label(),
                info.fault()));
  }

  synchronized List<RequestInfo> requests() {
    return new ArrayList<>(requests.values());
  }

  synchronized void clear() {
    requests.clear();
  }
}
