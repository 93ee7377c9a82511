package dev.tidemark.streamload;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** Scheme, host and port of a frontend or backend. */
record ServerAddress(String scheme, String host, int port) {
  static final String HTTP = "http";
  static final String HTTPS = "https";

  /** Reads {@code host:port} or {@code scheme://host:port}. */
  static ServerAddress parse(String role, String text) {
    if (text.indexOf('@') >= 0) {
      throw new IllegalArgumentException(
          "Invalid %s address: it has user information in it. Give user and password on their own."
              .formatted(role));
    }
    try {
      URI uri = new URI(text.contains("://") ? text : HTTP + "://" + text);
      ServerAddress address = of(uri);
      boolean bare =
          uri.getRawQuery() == null
              && uri.getRawFragment() == null
              && (uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"));
      if (address != null && bare && uri.getPort() > 0) {
        return address;
      }
    } catch (URISyntaxException e) {
      throw invalid(role, text, e);
    }
    throw invalid(role, text, null);
  }

  private static IllegalArgumentException invalid(String role, String text, Exception cause) {
    return new IllegalArgumentException(
        "Invalid %s address: %s (must be host:port, http://host:port or https://host:port)"
            .formatted(role, text),
        cause);
  }

  /** The server of a URI, or null if it names none that speaks HTTP. */
  static ServerAddress of(URI uri) {
    if (uri.getScheme() == null || uri.getHost() == null) {
      return null;
    }
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals(HTTP) && !scheme.equals(HTTPS)) {
      return null;
    }
    int port = uri.getPort() > 0 ? uri.getPort() : scheme.equals(HTTP) ? 80 : 443;
    return new ServerAddress(scheme, uri.getHost().toLowerCase(Locale.ROOT), port);
  }

  boolean secure() {
    return scheme.equals(HTTPS);
  }

  /** This server's URI with an encoded path and query. */
  URI resolve(String rawPathAndQuery) {
    return URI.create(this + rawPathAndQuery);
  }

  @Override
  public String toString() {
    return scheme + "://" + host + ":" + port;
  }
}
