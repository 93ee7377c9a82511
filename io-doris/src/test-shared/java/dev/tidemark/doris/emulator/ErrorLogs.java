package dev.tidemark.doris.emulator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** What the rejected rows of loads are, by the file that an answer names. */
final class ErrorLogs {

  private static final int MAX_FILES = 1000;

  private final Map<String, String> files = new LinkedHashMap<>();
  private int next;

  /** Keeps lines, and returns the path and query under which a backend has them. */
  synchronized String add(List<String> lines, long txnId) {
    String file = "__shard_" + next++ % 1024 + "/error_log_insert_stmt_" + Long.toHexString(txnId);
    files.put(file, String.join("\n", lines) + "\n");
    if (files.size() > MAX_FILES) {
      files.remove(files.keySet().iterator().next());
    }
    return "/api/_load_error_log?file=" + file;
  }

  synchronized Response answer(@Nullable String file) {
    String text = file == null ? null : files.get(file);
    return text == null
        ? Response.text(404, "file not found")
        : Response.text(200, text).with("Content-Type", "text/plain");
  }
}
