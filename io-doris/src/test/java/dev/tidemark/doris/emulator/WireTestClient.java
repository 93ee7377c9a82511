package dev.tidemark.doris.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** A client that puts bytes on the wire, and does nothing by itself. */
final class WireTestClient implements AutoCloseable {

  /**
   * An answer as it came.
   *
   * @param continued whether the server asked for the body before
   */
  record Answer(boolean continued, int status, Map<String, String> headers, String body) {

    JsonNode json() throws IOException {
      return Json.MAPPER.readTree(body);
    }

    String text(String field) throws IOException {
      return json().path(field).asText();
    }
  }

  private final Socket socket;
  private final InputStream in;

  WireTestClient(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    socket =
        new Socket(
            InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(colon + 1)));
    socket.setSoTimeout(20_000);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** The start of a load with the headers that all have. */
  static String loadHead(String database, String table, String... headers) {
    StringBuilder head = new StringBuilder();
    head.append("PUT /api/" + database + "/" + table + "/_stream_load HTTP/1.1\r\n");
    head.append("Host: 127.0.0.1\r\n" + authorization("root", "") + "Expect: 100-continue\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.toString();
  }

  static String authorization(String user, String password) {
    byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(credentials) + "\r\n";
  }

  /** Loads a body at a backend, with its length. */
  static Answer load(String backend, String head, byte[] body) throws IOException {
    try (WireTestClient client = new WireTestClient(backend)) {
      return client.exchange(
          (head + "Content-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.UTF_8),
          body);
    }
  }

  static Answer load(String backend, String head, String body) throws IOException {
    return load(backend, head, body.getBytes(StandardCharsets.UTF_8));
  }

  /** Commits or aborts at a backend. */
  static Answer decide(String backend, String database, String operation, String header)
      throws IOException {
    return get(
        backend,
        "PUT /api/"
            + database
            + "/_stream_load_2pc HTTP/1.1\r\n"
            + authorization("root", "")
            + "txn_operation: "
            + operation
            + "\r\n"
            + header
            + "\r\n\r\n");
  }

  /** The state of a label, as the frontend has it. */
  static String labelState(String frontend, String database, String label) throws IOException {
    return get(
            frontend,
            "GET /api/"
                + database
                + "/get_load_state?label="
                + label
                + " HTTP/1.1\r\n"
                + authorization("root", "")
                + "\r\n")
        .text("data");
  }

  /** Sends a request that has no body. */
  static Answer get(String address, String head) throws IOException {
    try (WireTestClient client = new WireTestClient(address)) {
      client.send(head.getBytes(StandardCharsets.UTF_8));
      return client.answer();
    }
  }

  /** Sends a head, and the body as soon as it is asked for; and if it is not, reads the answer. */
  Answer exchange(byte[] head, byte[] body) throws IOException {
    send(head);
    String text = new String(head, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
    boolean waits = text.contains("expect: 100-continue");
    if (waits) {
      String line = line();
      if (!line.contains(" 100 ")) {
        return answer(false, line);
      }
      line();
    }
    send(body);
    return answer(waits, line());
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  void timeout(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  Answer answer() throws IOException {
    String line = line();
    boolean continued = line.contains(" 100 ");
    if (continued) {
      line();
      line = line();
    }
    return answer(continued, line);
  }

  private Answer answer(boolean continued, String statusLine) throws IOException {
    int status = Integer.parseInt(statusLine.split(" ", -1)[1]);
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(line.substring(0, colon), line.substring(colon + 1).trim());
    }
    @Nullable String length = headers.get("Content-Length");
    byte[] body = length == null ? in.readAllBytes() : in.readNBytes(Integer.parseInt(length));
    return new Answer(continued, status, headers, new String(body, StandardCharsets.UTF_8));
  }

  String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("Connection closed by the server");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }

  /** The next byte, or -1. */
  int read() throws IOException {
    return in.read();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
