package dev.tidemark.action;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A receiver of notices over HTTP, and how it knows that they are genuine.
 *
 * <p>Each request is a POST of one JSON object. Headers: {@code X-Tidemark-Event}, the same for all
 * repetitions of one event; {@code X-Tidemark-Timestamp}, when it was sent, in epoch seconds; with
 * a secret {@code X-Tidemark-Signature}, {@code sha256=} and the hexadecimal HMAC-SHA256 of the
 * timestamp, a full stop and the body. Any status of 2xx takes the event. Redirects are not
 * followed. An attempt takes at most ten seconds, and nothing is read of the answer but its status.
 *
 * <p>The address may hold a token, and appears nowhere, as the secret does not. Both travel with
 * the pipeline as they are given: hand in providers that read them on the workers to keep them out
 * of job graphs.
 */
public final class Webhook implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ValueProvider<String> address;
  private final @Nullable ValueProvider<String> secret;
  private transient @Nullable WebhookClient client;

  private Webhook(ValueProvider<String> address, @Nullable ValueProvider<String> secret) {
    this.address = address;
    this.secret = secret;
  }

  /**
   * A receiver at an address.
   *
   * @throws IllegalArgumentException unless it is http or https and has a host
   */
  public static Webhook to(URI address) {
    check(address);
    return new Webhook(StaticValueProvider.of(address.toString()), null);
  }

  /** A receiver at an address that is known on the workers, where it is checked. */
  public static Webhook to(ValueProvider<String> address) {
    return new Webhook(address, null);
  }

  /** Signs what is sent. Default: no signature. */
  public Webhook withSecret(ValueProvider<String> secret) {
    return new Webhook(address, secret);
  }

  /**
   * Sends an event.
   *
   * @throws PermanentFailureException if the receiver refuses it, or the address or the secret
   *     cannot be used
   * @throws IOException if the receiver is not there, not in time, or asks to come again
   */
  public void post(String eventId, String body) throws IOException, InterruptedException {
    client().post(eventId, body);
  }

  private synchronized WebhookClient client() throws PermanentFailureException {
    if (client == null) {
      client = new WebhookClient(address(), secret == null ? null : secret.get());
    }
    return client;
  }

  private URI address() throws PermanentFailureException {
    try {
      URI uri = URI.create(address.get());
      check(uri);
      return uri;
    } catch (IllegalArgumentException e) {
      // Neither the cause nor its message, which have the address.
      throw new PermanentFailureException(
          "Cannot use the address of a webhook: not an http or https address with a host. Correct it");
    }
  }

  private static void check(URI address) {
    if (!"http".equalsIgnoreCase(address.getScheme())
        && !"https".equalsIgnoreCase(address.getScheme())) {
      throw new IllegalArgumentException(
          String.format("Invalid webhook scheme: %s (must be http or https)", address.getScheme()));
    }
    if (address.getHost() == null) {
      throw new IllegalArgumentException("Invalid webhook address: no host (must name one)");
    }
  }

  @Override
  public String toString() {
    return secret == null ? "Webhook" : "Webhook{signed}";
  }
}
