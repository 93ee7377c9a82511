package dev.tidemark.doris;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import dev.tidemark.streamload.DorisCluster;
import dev.tidemark.streamload.RetryPolicy;
import dev.tidemark.streamload.StreamLoadClient;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.apache.beam.sdk.options.ValueProvider;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Where the cluster is and as whom to speak to it; values are read when a client is opened. */
@AutoValue
abstract class ClusterSettings implements Serializable {
  private static final long serialVersionUID = 1;

  ClusterSettings() {}

  abstract @Nullable ValueProvider<List<String>> frontends();

  abstract ImmutableList<String> backends();

  abstract @Nullable ValueProvider<String> user();

  abstract @Nullable ValueProvider<String> password();

  abstract @Nullable ValueProvider<String> trustStore();

  abstract @Nullable ValueProvider<String> trustStorePassword();

  abstract @Nullable Duration connectTimeout();

  abstract @Nullable Duration loadTimeout();

  abstract RetryPolicy retryPolicy();

  abstract Builder toBuilder();

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder frontends(@Nullable ValueProvider<List<String>> frontends);

    abstract Builder backends(List<String> backends);

    abstract Builder user(@Nullable ValueProvider<String> user);

    abstract Builder password(@Nullable ValueProvider<String> password);

    abstract Builder trustStore(@Nullable ValueProvider<String> file);

    abstract Builder trustStorePassword(@Nullable ValueProvider<String> password);

    abstract Builder connectTimeout(@Nullable Duration timeout);

    abstract Builder loadTimeout(@Nullable Duration timeout);

    abstract Builder retryPolicy(RetryPolicy policy);

    abstract ClusterSettings build();
  }

  static ClusterSettings none() {
    return new AutoValue_ClusterSettings.Builder()
        .backends(List.of())
        .retryPolicy(RetryPolicy.defaults())
        .build();
  }

  /** Whether all values are there before the pipeline runs. */
  boolean isAccessible() {
    return isAccessible(frontends())
        && isAccessible(user())
        && isAccessible(password())
        && isAccessible(trustStore())
        && isAccessible(trustStorePassword());
  }

  private static boolean isAccessible(@Nullable ValueProvider<?> value) {
    return value == null || value.isAccessible();
  }

  void checkComplete() {
    require("frontends", "withFrontends", frontends());
    require("user", "withUser", user());
    require("password", "withPassword", password());
  }

  private static <T> T require(String what, String method, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(
          String.format("Missing required value: %s. Set it with %s(...)", what, method));
    }
    return value;
  }

  /** The caller closes the client. */
  StreamLoadClient open() {
    return StreamLoadClient.open(cluster());
  }

  DorisCluster cluster() {
    DorisCluster cluster =
        DorisCluster.of(
            required("frontends", "withFrontends", frontends()),
            required("user", "withUser", user()),
            required("password", "withPassword", password()));
    if (!backends().isEmpty()) {
      cluster = cluster.withBackends(backends());
    }
    if (trustStore() != null && trustStorePassword() != null) {
      cluster = cluster.withTrustStore(trustStore().get(), trustStorePassword().get());
    }
    Duration connect = connectTimeout();
    if (connect != null) {
      cluster = cluster.withConnectTimeout(connect);
    }
    Duration load = loadTimeout();
    return load == null ? cluster : cluster.withLoadTimeout(load);
  }

  private static <T> T required(String what, String method, @Nullable ValueProvider<T> provider) {
    return require(what, method, require(what, method, provider).get());
  }

  /** No value: some of them are secrets. */
  @Override
  public final String toString() {
    return "ClusterSettings";
  }
}
