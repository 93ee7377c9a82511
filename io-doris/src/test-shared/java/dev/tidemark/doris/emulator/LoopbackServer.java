package dev.tidemark.doris.emulator;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server on loopback with one thread per connection. */
final class LoopbackServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LoopbackServer.class);

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  /** Answers requests. */
  interface Handler {
    void handle(Exchange exchange) throws IOException;
  }

  private final String name;
  private final ServerSocket server;
  private final Handler handler;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private LoopbackServer(String name, ServerSocket server, Handler handler) {
    this.name = name;
    this.server = server;
    this.handler = handler;
  }

  /** Listens on a port of loopback; 0 takes a free one. */
  static LoopbackServer start(String name, int port, Handler handler) throws IOException {
    ServerSocket server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), 256);
    LoopbackServer started = new LoopbackServer(name, server, handler);
    started.daemon(started::accept, "accept");
    return started;
  }

  int port() {
    return server.getLocalPort();
  }

  String address() {
    return "127.0.0.1:" + port();
  }

  private void daemon(Runnable task, String role) {
    Thread thread = new Thread(task, "doris-emulator-" + name + "-" + role);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!closed) {
      Socket socket = next();
      if (socket == null) {
        return;
      }
      connections.add(socket);
      if (closed) {
        closeQuietly(socket);
      } else {
        daemon(() -> serve(socket), Integer.toString(socket.getPort()));
      }
    }
  }

  private @Nullable Socket next() {
    try {
      return server.accept();
    } catch (IOException e) {
      if (!closed) {
        LOG.error("Cannot accept connections on {}", address(), e);
      }
      return null;
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
      OutputStream out = socket.getOutputStream();
      Exchange exchange;
      do {
        RequestHead head = RequestHead.read(in);
        if (head == null) {
          return;
        }
        exchange = new Exchange(socket, in, out, head);
        handler.handle(exchange);
      } while (exchange.keepsAlive());
      exchange.linger();
    } catch (IOException e) {
      // A client that goes away, or a fault; the client sees it, and the server has no one to tell.
      LOG.debug("Connection to {} ended", address(), e);
    } catch (RuntimeException | Error e) {
      LOG.error("Cannot answer on {}: the emulator has an error", address(), e);
    } finally {
      connections.remove(socket);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("Cannot close a connection", e);
    }
  }

  /** Refuses connections from now on and cuts the ones there are. */
  @Override
  public void close() {
    closed = true;
    try {
      server.close();
    } catch (IOException e) {
      LOG.debug("Cannot close the server socket", e);
    }
    connections.forEach(LoopbackServer::closeQuietly);
  }
}
