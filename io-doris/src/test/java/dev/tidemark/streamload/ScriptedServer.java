package dev.tidemark.streamload;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * A server on loopback that answers byte for byte what a test says, and keeps what it was asked.
 */
final class ScriptedServer implements AutoCloseable {
  /** Answers one request; the connection is closed afterwards. */
  @FunctionalInterface
  interface Script {
    void answer(Exchange exchange) throws IOException;
  }

  private final ServerSocket socket;
  private final String scheme;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Exchange> exchanges = new CopyOnWriteArrayList<>();
  private volatile Script script;

  private ScriptedServer(ServerSocket socket, String scheme, Script script) {
    this.socket = socket;
    this.scheme = scheme;
    this.script = script;
  }

  static ScriptedServer start(Script script) throws IOException {
    return listen(
        new ScriptedServer(
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), "http", script));
  }

  static ScriptedServer startTls(SSLContext context, Script script) throws IOException {
    ServerSocket socket =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    return listen(new ScriptedServer(socket, "https", script));
  }

  private static ScriptedServer listen(ScriptedServer server) {
    server.threads.execute(server::accept);
    return server;
  }

  private void accept() {
    while (closed.getCount() > 0) {
      try {
        Socket connection = socket.accept();
        threads.execute(() -> serve(connection));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setSoTimeout(30_000);
      Exchange exchange =
          new Exchange(
              new BufferedInputStream(connection.getInputStream()),
              connection.getOutputStream(),
              closed);
      exchanges.add(exchange);
      script.answer(exchange);
      connection.getOutputStream().flush();
    } catch (IOException e) {
      // The client went away, or the test ended.
    }
  }

  /** Answers otherwise from now on. */
  void setScript(Script next) {
    script = next;
  }

  /** Scheme, host and port. */
  String address() {
    return scheme + "://127.0.0.1:" + socket.getLocalPort();
  }

  /** What was asked so far, in order of connections. */
  List<Exchange> exchanges() {
    return exchanges;
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    socket.close();
    threads.shutdownNow();
  }

  /** A request, and the way to answer it. */
  static final class Exchange {
    private final InputStream in;
    private final OutputStream out;
    private final CountDownLatch closed;
    private final String line;
    private final Map<String, String> headers = new TreeMap<>();
    private volatile long bodyBytes;

    private Exchange(InputStream in, OutputStream out, CountDownLatch closed) throws IOException {
      this.in = in;
      this.out = out;
      this.closed = closed;
      line = readLine();
      for (String header = readLine(); !header.isEmpty(); header = readLine()) {
        int colon = header.indexOf(':');
        headers.put(
            header.substring(0, colon).toLowerCase(Locale.ROOT),
            header.substring(colon + 1).strip());
      }
    }

    private String readLine() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int b = in.read(); b != '\n'; b = in.read()) {
        if (b < 0) {
          throw new IOException("the request ends within its head");
        }
        bytes.write(b);
      }
      return bytes.toString(StandardCharsets.UTF_8).strip();
    }

    /** Method, path and version. */
    String line() {
      return line;
    }

    /** Headers by lower-case name. */
    Map<String, String> headers() {
      return headers;
    }

    /** Bytes of the body that were read. */
    long bodyBytes() {
      return bodyBytes;
    }

    /** Asks for the body. */
    Exchange goOn() throws IOException {
      return write("HTTP/1.1 100 Continue\r\n\r\n");
    }

    /** Reads the body to its length, or what is left of it. */
    void readBody() throws IOException {
      read(Integer.parseInt(headers.get("content-length")) - (int) bodyBytes);
    }

    /** Reads this much of the body. */
    void read(int bytes) throws IOException {
      int read = in.readNBytes(bytes).length;
      synchronized (this) {
        bodyBytes += read;
      }
    }

    /** Answers with a body. */
    void answer(int code, String body) throws IOException {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      write("HTTP/1.1 %d Whatever\r\nContent-Length: %d\r\n\r\n".formatted(code, bytes.length));
      out.write(bytes);
    }

    /** Answers with a redirect. */
    void redirect(String location) throws IOException {
      write(
          "HTTP/1.1 307 Temporary Redirect\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"
              .formatted(location));
    }

    /** Writes as it is. */
    Exchange write(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
      return this;
    }

    /** Writes a text again and again, until the client or the test has enough. */
    void writeForEver(String text, long millisBetween) throws IOException {
      while (!waits(millisBetween)) {
        write(text);
      }
    }

    /** Holds the connection open until the test ends. */
    void hang() {
      waits(60_000);
    }

    private boolean waits(long millis) {
      try {
        return closed.await(millis, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return true;
      }
    }
  }
}
