package dev.tidemark.streamload;

import com.google.common.collect.ImmutableSet;
import java.net.URI;
import java.net.URISyntaxException;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Decides where a request may be sent on to. Doris names other servers for almost everything, and
 * user and password go there; so a redirect may change the server, but neither the path nor from
 * HTTPS to HTTP, and hosts can be restricted.
 */
final class Redirects {
  private final ImmutableSet<String> hosts;

  /** Restricts redirects to these hosts, or to none in particular if there are none. */
  Redirects(ImmutableSet<String> hosts) {
    this.hosts = hosts;
  }

  /** The server that an answer names for the same request. */
  ServerAddress follow(String action, HttpAnswer answer, String rawPath) {
    ServerAddress from = answer.server();
    URI target = parse(answer.location());
    ServerAddress to = target == null ? null : ServerAddress.of(target);
    if (to == null) {
      throw refused(action, from, "names no HTTP server");
    }
    if (from.secure() && !to.secure()) {
      throw refused(
          action,
          from,
          "goes to %s, which would send data and password in the clear. Let the cluster serve HTTPS on backends too, or name its frontends with http://"
              .formatted(to));
    }
    if (!URI.create(rawPath).getPath().equals(target.getPath())) {
      throw refused(action, from, "goes to another path than " + rawPath + " at " + to);
    }
    if (!hosts.isEmpty() && !hosts.contains(to.host())) {
      throw refused(
          action, from, "goes to %s, which is not one of the hosts allowed".formatted(to));
    }
    return to;
  }

  private static @Nullable URI parse(@Nullable String location) {
    if (location == null) {
      return null;
    }
    try {
      return new URI(withoutUser(location));
    } catch (URISyntaxException e) {
      // Not kept as the cause: its message quotes the location, which may have a password in it.
      return null;
    }
  }

  /** Passwords in locations are not always encoded well enough for a URI. */
  private static String withoutUser(String location) {
    int authority = location.indexOf("://");
    if (authority < 0) {
      return location;
    }
    int api = location.indexOf("/api/", authority + 3);
    String head = api < 0 ? location : location.substring(0, api);
    int at = head.lastIndexOf('@');
    return at < 0 ? location : location.substring(0, authority + 3) + location.substring(at + 1);
  }

  private static LoadException refused(String action, ServerAddress from, String reason) {
    return new LoadException(
        LoadException.Kind.REDIRECT_REFUSED,
        "Cannot %s: the redirect of %s %s. Nothing was sent there."
            .formatted(action, from, reason));
  }
}
