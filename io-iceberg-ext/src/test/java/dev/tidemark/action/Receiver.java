package dev.tidemark.action;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.rules.ExternalResource;

/** A receiver of webhooks that answers byte for byte what a test says, good or bad. */
final class Receiver extends ExternalResource {
  record Request(String line, List<String> headers, String body) {
    String header(String name) {
      String prefix = name + ": ";
      return headers.stream()
          .filter(header -> header.regionMatches(true, 0, prefix, 0, prefix.length()))
          .map(header -> header.substring(prefix.length()))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no header " + name + " in " + headers));
    }
  }

  private record Answer(String once, String forEver, boolean silent) {}

  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong sent = new AtomicLong();
  private ServerSocket server;

  @Override
  protected void before() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::accept, "receiver");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  protected void after() {
    try {
      close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }

  int port() {
    return server.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  long sentBytes() {
    return sent.get();
  }

  /** Sends this and closes the connection. */
  void answer(String response) {
    answers.add(new Answer(response, "", false));
  }

  void answerEndlessly(String once, String forEver) {
    answers.add(new Answer(once, forEver, false));
  }

  void keepSilent() {
    answers.add(new Answer("", "", true));
  }

  Request request() throws InterruptedException {
    return request(10, SECONDS);
  }

  Request request(long timeout, TimeUnit unit) throws InterruptedException {
    return Objects.requireNonNull(requests.poll(timeout, unit), "no request in time");
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        connections.incrementAndGet();
        Thread thread = new Thread(() -> serve(socket), "receiver connection");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        // Closed, at the end of the test.
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try {
      requests.add(read(socket.getInputStream()));
      Answer answer = answers.take();
      if (answer.silent()) {
        return;
      }
      OutputStream out = socket.getOutputStream();
      write(out, answer.once());
      while (!answer.forEver().isEmpty()) {
        write(out, answer.forEver());
      }
      socket.close();
    } catch (IOException e) {
      // The client has had enough.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(OutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.write(bytes);
    out.flush();
    sent.addAndGet(bytes.length);
  }

  private static Request read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(UTF_8).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the client closed the connection");
      }
      head.write(next);
    }
    List<String> lines = List.of(head.toString(UTF_8).trim().split("\r\n"));
    Request request = new Request(lines.get(0), lines.subList(1, lines.size()), "");
    int length = Integer.parseInt(request.header("Content-Length"));
    return new Request(request.line(), request.headers(), new String(in.readNBytes(length), UTF_8));
  }
}
