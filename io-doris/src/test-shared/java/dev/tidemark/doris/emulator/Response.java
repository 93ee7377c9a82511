package dev.tidemark.doris.emulator;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** An answer, before it is put on the wire. */
final class Response {

  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  private Response(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  static Response json(Object value) {
    return json(200, value);
  }

  static Response json(int status, Object value) {
    return of(status, "application/json", Json.compact(value));
  }

  /** As a backend formats it; its content type is not that of JSON. */
  static Response load(LoadAnswer answer) {
    return of(200, "text/html", Json.pretty(answer.fields()) + "\n");
  }

  static Response pretty(Object value) {
    return of(200, "application/json", Json.pretty(value));
  }

  static Response text(int status, String text) {
    return of(status, "text/html", text);
  }

  static Response redirect(String location) {
    return of(307, "text/html;charset=utf-8", "").with("Location", location);
  }

  private static Response of(int status, String contentType, String body) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", contentType);
    return new Response(status, headers, body.getBytes(StandardCharsets.UTF_8));
  }

  Response with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Response(status, more, body);
  }

  /** The bytes on the wire. */
  byte[] bytes() {
    StringBuilder head = new StringBuilder();
    head.append("HTTP/1.1 ").append(status).append(' ').append(reason()).append("\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
    byte[] start = head.toString().getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[start.length + body.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    return all;
  }

  private String reason() {
    return switch (status) {
      case 200 -> "OK";
      case 307 -> "Temporary Redirect";
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 404 -> "Not Found";
      case 500 -> "Internal Server Error";
      default -> "Status";
    };
  }
}
