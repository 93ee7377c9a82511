package dev.tidemark.streamload;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.http.io.HttpConnectionFactory;
import org.apache.hc.core5.util.Timeout;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A connection that logs nothing of what it sends and receives at any level: HttpClient's own logs
 * headers, and with them credentials, when the application's logging is turned up. It writes
 * headers in UTF-8, and bounds the head of an answer.
 */
final class QuietConnection extends DefaultBHttpClientConnection
    implements ManagedHttpClientConnection {
  private static final int MAX_LINE_BYTES = 16384;
  private static final int MAX_HEADERS = 100;
  private static final int BUFFER_BYTES = 1 << 16;

  private static final Http1Config CONFIG =
      Http1Config.custom()
          .setBufferSize(BUFFER_BYTES)
          .setMaxLineLength(MAX_LINE_BYTES)
          .setMaxHeaderCount(MAX_HEADERS)
          .setMaxEmptyLineCount(2)
          .build();

  private @Nullable SSLSession session;
  private @Nullable Timeout timeoutWhenActive;

  private QuietConnection() {
    super(
        CONFIG,
        StandardCharsets.UTF_8.newDecoder(),
        StandardCharsets.UTF_8.newEncoder(),
        null,
        null,
        null,
        null);
  }

  static HttpConnectionFactory<ManagedHttpClientConnection> factory() {
    return new HttpConnectionFactory<>() {
      @Override
      public ManagedHttpClientConnection createConnection(Socket socket) throws IOException {
        QuietConnection connection = new QuietConnection();
        if (socket != null) {
          connection.bind(socket);
        }
        return connection;
      }
    };
  }

  @Override
  protected void bind(SocketHolder holder) throws IOException {
    super.bind(holder);
    timeoutWhenActive = Timeout.ofMilliseconds(holder.getSocket().getSoTimeout());
  }

  @Override
  public void bind(Socket socket) throws IOException {
    bind(new SocketHolder(socket));
  }

  @Override
  public void bind(SSLSocket tls, Socket base) throws IOException {
    bind(new SocketHolder(tls, base));
    session = tls.getSession();
  }

  @Override
  public @Nullable Socket getSocket() {
    SocketHolder holder = getSocketHolder();
    return holder == null ? null : holder.getSocket();
  }

  @Override
  public @Nullable SSLSession getSSLSession() {
    return session;
  }

  @Override
  public void passivate() {
    super.setSocketTimeout(Timeout.ZERO_MILLISECONDS);
  }

  @Override
  public void activate() {
    super.setSocketTimeout(timeoutWhenActive);
  }

  /** Makes a write fail that waits for a server which does not read. What it sent can be read. */
  void stopSending() throws IOException {
    SocketHolder holder = getSocketHolder();
    if (holder == null) {
      return;
    }
    // Below TLS, whose own way to end a stream waits for the write.
    Socket base = holder.getBaseSocket();
    (base == null ? holder.getSocket() : base).shutdownOutput();
  }
}
