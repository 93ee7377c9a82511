package dev.tidemark.doris.emulator;

import dev.tidemark.doris.emulator.Fault.Operation;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What a request is for, by its path.
 *
 * @param database or empty
 * @param table or empty
 */
record Call(Operation operation, String database, String table) {

  /** User and password of a request. */
  record Credentials(String user, String password) {

    /** The credentials in the header of a request, or null if it has none. */
    static @Nullable Credentials of(RequestHead head) {
      String header = head.header("authorization");
      if (header == null || !header.regionMatches(true, 0, "Basic ", 0, 6)) {
        return null;
      }
      String text;
      try {
        byte[] bytes = Base64.getDecoder().decode(header.substring(6).trim());
        text = new String(bytes, StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        return null;
      }
      int colon = text.indexOf(':');
      return colon < 0
          ? null
          : new Credentials(text.substring(0, colon), text.substring(colon + 1));
    }

    boolean match(Settings settings) {
      return user.equals(settings.user()) && password.equals(settings.password());
    }

    @Override
    public String toString() {
      return "Credentials{" + user + "}";
    }
  }

  /** The call of a request, or null if there is none of its path and method. */
  static @Nullable Call of(RequestHead head) {
    List<String> parts = head.pathParts();
    int count = parts.size();
    if (count == 0) {
      return new Call(Operation.PROBE, "", "");
    }
    if (!parts.get(0).equals("api") || count < 2) {
      return null;
    }
    String last = parts.get(count - 1);
    boolean put = head.method().equals("PUT");
    if (parts.get(1).equals("_emulator")) {
      return new Call(Operation.ADMIN, "", "");
    }
    if (parts.get(1).equals("query") && count == 4) {
      return new Call(Operation.QUERY, last, "");
    }
    if (put && last.equals("_stream_load") && count == 4) {
      return new Call(Operation.LOAD, parts.get(1), parts.get(2));
    }
    if (put && last.equals("_stream_load_2pc") && (count == 3 || count == 4)) {
      boolean commit = "commit".equalsIgnoreCase(head.header("txn_operation"));
      return new Call(
          commit ? Operation.COMMIT : Operation.ABORT,
          parts.get(1),
          count == 4 ? parts.get(2) : "");
    }
    if (last.equals("get_load_state") && count == 3) {
      return new Call(Operation.LABEL_STATE, parts.get(1), "");
    }
    if (last.equals("_schema") && count == 4) {
      return new Call(Operation.SCHEMA, parts.get(1), parts.get(2));
    }
    if (last.equals("backends") && count == 2) {
      return new Call(Operation.BACKENDS, "", "");
    }
    if (last.equals("_load_error_log") && count == 2) {
      return new Call(Operation.ERROR_LOG, "", "");
    }
    return null;
  }
}
