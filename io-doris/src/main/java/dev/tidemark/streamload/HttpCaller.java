package dev.tidemark.streamload;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.Timeout;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Makes one HTTP request at a time for each thread, and bounds its time and the answer's size.
 * Follows no redirect, tries nothing twice, keeps no cookie, and uses each connection once, so that
 * no request is lost on one that the server has closed meanwhile.
 */
final class HttpCaller implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 1024;
  private static final Timeout WAIT_FOR_CONTINUE = Timeout.ofMilliseconds(500);

  private final CloseableHttpClient client;
  private final ScheduledThreadPoolExecutor watch;
  private final ExecutorService readers;

  private HttpCaller(
      CloseableHttpClient client, ScheduledThreadPoolExecutor watch, ExecutorService readers) {
    this.client = client;
    this.watch = watch;
    this.readers = readers;
  }

  static HttpCaller open(DorisCluster cluster) {
    Timeout connect = Timeout.of(cluster.connectTimeout());
    var connections =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setConnectionFactory(QuietConnection.factory())
            .setMaxConnTotal(MAX_CONNECTIONS)
            .setMaxConnPerRoute(MAX_CONNECTIONS)
            .setDefaultSocketConfig(
                SocketConfig.custom().setSoTimeout(connect).setTcpNoDelay(true).build())
            .setDefaultConnectionConfig(
                ConnectionConfig.custom().setConnectTimeout(connect).build())
            .setDefaultTlsConfig(TlsConfig.custom().setHandshakeTimeout(connect).build());
    SSLContext trusted = trust(cluster);
    if (trusted != null) {
      connections.setTlsSocketStrategy(new DefaultClientTlsStrategy(trusted));
    }
    ExecutorService readers = Executors.newCachedThreadPool(threads("tidemark-doris-answers-%d"));
    CloseableHttpClient client =
        HttpClients.custom()
            .setConnectionManager(connections.build())
            .setRequestExecutor(new EarlyAnswers(WAIT_FOR_CONTINUE, readers))
            .setConnectionReuseStrategy((request, answer, context) -> false)
            .setUserAgent("tidemark-io-doris")
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableContentCompression()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableDefaultUserAgent()
            .build();
    ScheduledThreadPoolExecutor watch =
        new ScheduledThreadPoolExecutor(1, threads("tidemark-doris-deadlines"));
    watch.setRemoveOnCancelPolicy(true);
    return new HttpCaller(client, watch, readers);
  }

  private static ThreadFactory threads(String name) {
    return new ThreadFactoryBuilder().setNameFormat(name).setDaemon(true).build();
  }

  private static @Nullable SSLContext trust(DorisCluster cluster) {
    String file = cluster.trustStore();
    String password = cluster.trustStorePassword();
    if (file == null || password == null) {
      return null;
    }
    try {
      KeyStore store = KeyStore.getInstance(new File(file), password.toCharArray());
      return SSLContexts.custom().loadTrustMaterial(store, null).build();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "Cannot read trust store %s: %s. Give a PKCS12 or JKS file and its password."
              .formatted(file, e.getMessage()),
          e);
    }
  }

  /**
   * Makes a request.
   *
   * @param body null for none
   * @param maxBytes of the answer's body that are read
   * @param timeout from the first byte sent to the last one received
   */
  HttpAnswer call(
      String method,
      URI uri,
      Map<String, String> headers,
      @Nullable HttpEntity body,
      int maxBytes,
      Duration timeout)
      throws CallException {
    HttpUriRequestBase request = new HttpUriRequestBase(method, uri);
    headers.forEach(request::setHeader);
    request.setEntity(body);
    request.setConfig(
        RequestConfig.custom()
            .setResponseTimeout(Timeout.of(timeout))
            .setConnectionRequestTimeout(Timeout.of(timeout))
            .build());
    HttpClientContext context = HttpClientContext.create();
    AtomicBoolean late = new AtomicBoolean();
    ScheduledFuture<?> deadline =
        watch.schedule(
            () -> {
              late.set(true);
              request.cancel();
            },
            timeout.toMillis(),
            TimeUnit.MILLISECONDS);
    ServerAddress server = ServerAddress.of(uri);
    try {
      return client.execute(request, context, answer -> read(server, answer, maxBytes));
    } catch (IOException | RuntimeException e) {
      boolean sent = context.getAttribute(EarlyAnswers.SENT) != null;
      String reason =
          late.get() ? "no complete answer within " + timeout : e.getClass().getSimpleName();
      String detail = late.get() || e.getMessage() == null ? "" : " (" + e.getMessage() + ")";
      throw new CallException(server + ": " + reason + detail, sent, e);
    } finally {
      deadline.cancel(false);
    }
  }

  private static HttpAnswer read(ServerAddress server, ClassicHttpResponse answer, int maxBytes)
      throws IOException {
    byte[] body = new byte[0];
    boolean cut = false;
    HttpEntity entity = answer.getEntity();
    if (entity != null) {
      InputStream content = entity.getContent();
      body = content.readNBytes(maxBytes);
      cut = body.length == maxBytes && content.read() >= 0;
      if (cut) {
        // Else the rest would be read to its end, and there may be none.
        answer.setEntity(null);
      }
    }
    Header location = answer.getFirstHeader(HttpHeaders.LOCATION);
    return new HttpAnswer(
        server,
        answer.getCode(),
        location == null ? null : location.getValue(),
        new String(body, StandardCharsets.UTF_8),
        cut);
  }

  @Override
  public void close() {
    watch.shutdownNow();
    client.close(CloseMode.IMMEDIATE);
    readers.shutdownNow();
  }
}
