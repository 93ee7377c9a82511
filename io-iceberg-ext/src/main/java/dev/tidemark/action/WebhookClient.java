package dev.tidemark.action;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Posts events to one address. Messages of its errors have neither the address nor the secret. */
final class WebhookClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** A receiver that drips header bytes does not count as one that answers. */
  private static final Duration WHOLE_TIMEOUT = TIMEOUT.plusSeconds(2);

  private final URI address;
  private final @Nullable HashFunction signature;
  private final HttpClient client;

  WebhookClient(URI address, @Nullable String secret) throws PermanentFailureException {
    if (secret != null && secret.isEmpty()) {
      throw new PermanentFailureException(
          "Cannot sign events of a webhook: the secret is empty. Set it, or use none");
    }
    this.address = address;
    this.signature = secret == null ? null : Hashing.hmacSha256(secret.getBytes(UTF_8));
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  void post(String eventId, String body) throws IOException, InterruptedException {
    String timestamp = Long.toString(Clock.systemUTC().instant().getEpochSecond());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .header("X-Tidemark-Event", eventId)
            .header("X-Tidemark-Timestamp", timestamp)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (signature != null) {
      request.header(
          "X-Tidemark-Signature", "sha256=" + signature.hashString(timestamp + "." + body, UTF_8));
    }
    check(status(request.build()));
  }

  private int status(HttpRequest request) throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<Void>> response =
        client.sendAsync(request, info -> new IgnoredBody());
    try {
      return response.get(WHOLE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).statusCode();
    } catch (TimeoutException e) {
      throw new IOException("Cannot post to the webhook: no answer in time", e);
    } catch (ExecutionException e) {
      // Messages of connection errors may have the address.
      throw new IOException(
          "Cannot post to the webhook: " + e.getCause().getClass().getSimpleName());
    } finally {
      response.cancel(true);
    }
  }

  private static void check(int status) throws IOException {
    if (status / 100 == 2) {
      return;
    }
    String answered = "Cannot post to the webhook: it answered " + status;
    if (status / 100 == 3) {
      throw new PermanentFailureException(
          answered + ", and redirects are not followed. Give the final address");
    }
    if (status / 100 == 4 && status != 408 && status != 425 && status != 429) {
      throw new PermanentFailureException(answered + ". Check address, secret and rights");
    }
    throw new IOException(answered);
  }

  /** Ends the exchange at the first byte of the body, however much would follow. */
  private static final class IgnoredBody implements HttpResponse.BodySubscriber<Void> {
    @Override
    public CompletionStage<Void> getBody() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.cancel();
    }

    @Override
    public void onNext(List<ByteBuffer> item) {}

    @Override
    public void onError(Throwable throwable) {}

    @Override
    public void onComplete() {}
  }
}
