package dev.tidemark.doris.emulator;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.checkerframework.checker.nullness.qual.Nullable;

/** One request on a connection, and what a server can do to it short of the protocol. */
final class Exchange {

  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final RequestHead head;
  private final boolean bodyAnnounced;

  private boolean continueSent;
  private @Nullable RequestBody body;
  private boolean open = true;
  private Duration hold = Duration.ofSeconds(2);
  private Duration unread = Duration.ZERO;

  Exchange(Socket socket, InputStream in, OutputStream out, RequestHead head) throws IOException {
    this.socket = socket;
    this.in = in;
    this.out = out;
    this.head = head;
    this.bodyAnnounced = head.announcesBody();
  }

  RequestHead head() {
    return head;
  }

  /** Tells the client to send the body, if it waits for that. */
  void sendContinue() throws IOException {
    if (head.expectsContinue() && !continueSent) {
      continueSent = true;
      write(CONTINUE);
    }
  }

  RequestBody readBody(long limit) throws IOException {
    if (body == null) {
      body = RequestBody.read(head, in, limit);
    }
    return body;
  }

  /** Whether the answer is still to be sent. */
  boolean isOpen() {
    return open;
  }

  boolean announcesBody() {
    return bodyAnnounced;
  }

  /** Bytes of the body that were read, or 0. */
  long bodyBytes() {
    return body == null ? 0 : body.bytes().length;
  }

  /** Whether a byte of the body came though nobody asked for it, looked at for some time. */
  boolean bodyComes(Duration wait) throws IOException {
    if (!bodyAnnounced || body != null) {
      return false;
    }
    socket.setSoTimeout(Math.toIntExact(Math.max(1, wait.toMillis())));
    try {
      return in.read() >= 0;
    } catch (SocketTimeoutException e) {
      return false;
    } finally {
      socket.setSoTimeout(0);
    }
  }

  void respond(Response response) throws IOException {
    write(response.bytes());
    if (bodyAnnounced && (body == null || body.end() != RequestBody.End.COMPLETE)) {
      finish();
    }
  }

  /** Puts bytes on the wire as they are. */
  void write(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** Ends the connection after what was written, but does not discard that with a reset. */
  void finish() throws IOException {
    open = false;
    socket.shutdownOutput();
  }

  /** Ends the connection as a crashed server does. */
  void reset() throws IOException {
    open = false;
    hold = Duration.ZERO;
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** Ends what is sent, but keeps the connection open, and reads nothing more of it. */
  void finishUnread(Duration duration) throws IOException {
    finish();
    unread = duration;
  }

  /** Where the server listens. */
  String localAddress() {
    return "127.0.0.1:" + socket.getLocalPort();
  }

  /** Whether another request may follow on the connection. */
  boolean keepsAlive() {
    return open && !"close".equalsIgnoreCase(head.header("connection"));
  }

  /** Reads what the client still sends, for a while, so that it gets to read the answer. */
  void linger() throws IOException {
    if (hold.isZero() || socket.isClosed()) {
      return;
    }
    if (!socket.isOutputShutdown()) {
      socket.shutdownOutput();
    }
    LockSupport.parkNanos(unread.toNanos());
    socket.setSoTimeout(Math.toIntExact(hold.toMillis()));
    byte[] buffer = new byte[1 << 16];
    long deadline = System.nanoTime() + hold.toNanos();
    try {
      while (in.read(buffer) >= 0 && System.nanoTime() < deadline) {
        // Dropped.
      }
    } catch (SocketTimeoutException e) {
      // The client had its time.
    }
  }
}
