package dev.tidemark.streamload;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Where a Doris cluster is, and as whom to speak to it. {@link #toString} shows neither user nor
 * passwords.
 */
@AutoValue
public abstract class DorisCluster implements Serializable {
  private static final long serialVersionUID = 1L;

  DorisCluster() {}

  abstract ImmutableList<String> frontends();

  abstract ImmutableList<String> backends();

  abstract ImmutableSet<String> backendHosts();

  abstract String user();

  abstract String password();

  abstract @Nullable String trustStore();

  abstract @Nullable String trustStorePassword();

  abstract Duration connectTimeout();

  abstract Duration requestTimeout();

  abstract Duration loadTimeout();

  abstract Builder toBuilder();

  /**
   * A cluster with these frontends, each {@code host:port} (plain HTTP) or {@code
   * https://host:port}. They are tried in turn, beginning with the one that answered last.
   */
  public static DorisCluster of(List<String> frontends, String user, String password) {
    if (frontends.isEmpty()) {
      throw new IllegalArgumentException("Missing required value: a frontend's address");
    }
    if (user.isEmpty() || user.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "Invalid user: it is empty or has a colon in it, which HTTP's basic authentication cannot carry");
    }
    return new AutoValue_DorisCluster.Builder()
        .setFrontends(checked("frontend", frontends))
        .setBackends(ImmutableList.of())
        .setBackendHosts(ImmutableSet.of())
        .setUser(user)
        .setPassword(password)
        .setConnectTimeout(Duration.ofSeconds(10))
        .setRequestTimeout(Duration.ofSeconds(60))
        .setLoadTimeout(Duration.ofMinutes(10))
        .build();
  }

  /** Sends loads to these backends in turn and asks no frontend for one. Default: ask. */
  public DorisCluster withBackends(List<String> backends) {
    return toBuilder().setBackends(checked("backend", backends)).build();
  }

  /**
   * Sends loads, and with them user and password, only to backends on these hosts, whatever a
   * frontend says. Default: to any host that a frontend names.
   */
  public DorisCluster withBackendHosts(Set<String> hosts) {
    ImmutableSet.Builder<String> lower = ImmutableSet.builder();
    hosts.forEach(host -> lower.add(host.toLowerCase(Locale.ROOT)));
    return toBuilder().setBackendHosts(lower.build()).build();
  }

  /** Trusts the certificates of this key store (PKCS12 or JKS) instead of the JVM's. */
  public DorisCluster withTrustStore(String file, String password) {
    return toBuilder().setTrustStore(file).setTrustStorePassword(password).build();
  }

  /** Gives up connecting after this. Default 10 seconds. */
  public DorisCluster withConnectTimeout(Duration timeout) {
    return toBuilder().setConnectTimeout(checked("connect timeout", timeout)).build();
  }

  /**
   * Gives up any request but a load after this, from the first byte sent to the last byte received.
   * Default 60 seconds, as the frontend's own limit for a commit.
   */
  public DorisCluster withRequestTimeout(Duration timeout) {
    return toBuilder().setRequestTimeout(checked("request timeout", timeout)).build();
  }

  /**
   * Gives up sending a load and waiting for its answer after this; the server is told the same
   * limit in whole seconds. Default 10 minutes.
   */
  public DorisCluster withLoadTimeout(Duration timeout) {
    return toBuilder().setLoadTimeout(checked("load timeout", timeout)).build();
  }

  private static ImmutableList<String> checked(String role, List<String> addresses) {
    addresses.forEach(address -> ServerAddress.parse(role, address));
    return ImmutableList.copyOf(addresses);
  }

  private static Duration checked(String name, Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofDays(3)) > 0) {
      throw new IllegalArgumentException(
          "Invalid %s: %s (must be 1 ms to 3 days)".formatted(name, timeout));
    }
    return timeout;
  }

  @Override
  public final String toString() {
    return "DorisCluster{frontends=%s, backends=%s}".formatted(frontends(), backends());
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder setFrontends(ImmutableList<String> frontends);

    abstract Builder setBackends(ImmutableList<String> backends);

    abstract Builder setBackendHosts(ImmutableSet<String> hosts);

    abstract Builder setUser(String user);

    abstract Builder setPassword(String password);

    abstract Builder setTrustStore(@Nullable String file);

    abstract Builder setTrustStorePassword(@Nullable String password);

    abstract Builder setConnectTimeout(Duration timeout);

    abstract Builder setRequestTimeout(Duration timeout);

    abstract Builder setLoadTimeout(Duration timeout);

    abstract DorisCluster build();
  }
}
