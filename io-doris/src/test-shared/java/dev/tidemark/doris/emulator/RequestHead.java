package dev.tidemark.doris.emulator;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The request line and the headers of one request. */
final class RequestHead {

  private static final int MAX_BYTES = 1 << 18;

  private final String method;
  private final String target;
  private final String path;
  private final Map<String, String> query;
  private final Map<String, String> headers;

  private RequestHead(
      String method, String target, Map<String, String> query, Map<String, String> headers) {
    this.method = method;
    this.target = target;
    int mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.substring(0, mark);
    this.query = query;
    this.headers = headers;
  }

  /** The next head of a connection, or null if the client has closed it between requests. */
  static @Nullable RequestHead read(InputStream in) throws IOException {
    List<String> lines = new ArrayList<>();
    int total = 0;
    while (true) {
      String line = readLine(in, MAX_BYTES - total);
      if (line == null) {
        if (lines.isEmpty()) {
          return null;
        }
        throw new EOFException("Connection closed within the head of a request");
      }
      total += line.length();
      if (line.isEmpty()) {
        if (lines.isEmpty()) {
          continue;
        }
        return parse(lines);
      }
      lines.add(line);
    }
  }

  private static RequestHead parse(List<String> lines) throws IOException {
    String[] parts = lines.get(0).split(" ", -1);
    if (parts.length != 3) {
      throw new IOException("Invalid request line: " + lines.get(0));
    }
    int mark = parts[1].indexOf('?');
    Map<String, String> query = new LinkedHashMap<>();
    if (mark >= 0) {
      for (String pair : parts[1].substring(mark + 1).split("&", -1)) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          query.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
        }
      }
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      if (colon <= 0) {
        throw new IOException("Invalid header line: " + line);
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    return new RequestHead(parts[0], parts[1], query, headers);
  }

  private static @Nullable String readLine(InputStream in, int limit) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      int next = in.read();
      if (next < 0) {
        if (line.size() == 0) {
          return null;
        }
        throw new EOFException("Connection closed within a line");
      }
      if (next == '\n') {
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
      }
      if (line.size() >= limit) {
        throw new IOException("Request head exceeds " + MAX_BYTES + " bytes");
      }
      line.write(next);
    }
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  String method() {
    return method;
  }

  /** The path with the query, as it was sent. */
  String target() {
    return target;
  }

  /** The path without the query, as it was sent. */
  String path() {
    return path;
  }

  /** The parts of the path, decoded; of {@code /api/db/t/_schema} they are four. */
  List<String> pathParts() {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      if (!part.isEmpty()) {
        parts.add(decode(part));
      }
    }
    return parts;
  }

  @Nullable String query(String name) {
    return query.get(name);
  }

  /** The value of a header, whose name is given in lower case. */
  @Nullable String header(String name) {
    return headers.get(name);
  }

  String header(String name, String otherwise) {
    return headers.getOrDefault(name, otherwise);
  }

  boolean isTrue(String name) {
    return "true".equalsIgnoreCase(headers.get(name));
  }

  Map<String, String> headers() {
    return headers;
  }

  boolean expectsContinue() {
    return "100-continue".equalsIgnoreCase(headers.get("expect"));
  }

  boolean chunked() {
    return "chunked".equalsIgnoreCase(headers.get("transfer-encoding"));
  }

  /** The announced length of the body, or -1. */
  long contentLength() throws IOException {
    String value = headers.get("content-length");
    if (value == null) {
      return -1;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IOException("Invalid content-length: " + value, e);
    }
  }

  /** Whether a body follows, however long. */
  boolean announcesBody() throws IOException {
    return chunked() || contentLength() > 0;
  }
}
