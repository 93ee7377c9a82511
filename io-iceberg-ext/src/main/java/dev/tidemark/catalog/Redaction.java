package dev.tidemark.catalog;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Decides what of a catalog's configuration people may see. */
final class Redaction {
  static final String HIDDEN = "***";

  private static final ImmutableSet<String> SHOWN =
      ImmutableSet.of("type", "catalog-impl", "io-impl");
  private static final ImmutableSet<String> SHOWN_LOCATIONS = ImmutableSet.of("warehouse", "uri");

  /** Switches and small numbers: hidden like the rest, but no secret to look for in messages. */
  private static final Pattern NO_SECRET = Pattern.compile("|..?|true|false|[0-9]{1,6}");

  private Redaction() {}

  /** The entries in key order, values shown only where the allow-list has their key. */
  static String describe(ImmutableMap<String, String> properties) {
    Map<String, String> shown = new TreeMap<>();
    properties.forEach((key, value) -> shown.put(key, show(key, value)));
    return shown.toString();
  }

  private static String show(String key, String value) {
    if (SHOWN.contains(key)) {
      return value;
    }
    return SHOWN_LOCATIONS.contains(key) ? location(value) : HIDDEN;
  }

  /**
   * A location without what may carry credentials: user information, and everything from the first
   * {@code ?}, {@code ;} or {@code #} on. Where an {@code @} follows one of these, a password may
   * hold either, and nothing but the scheme is shown.
   */
  static String location(String value) {
    int at = value.lastIndexOf('@');
    int end = end(value);
    if (at < 0) {
      return value.substring(0, end);
    }
    String shown = scheme(value.substring(0, at)) + HIDDEN;
    return at > end ? shown : shown + value.substring(at, end);
  }

  private static int end(String value) {
    int end = value.length();
    for (char mark : new char[] {'?', ';', '#'}) {
      int found = value.indexOf(mark);
      end = found < 0 ? end : Math.min(end, found);
    }
    return end;
  }

  private static String scheme(String head) {
    int authority = head.indexOf("://");
    if (authority >= 0) {
      return head.substring(0, authority + 3);
    }
    int colon = head.indexOf(':');
    return head.startsWith("jdbc:") && colon >= 0 ? head.substring(0, colon + 1) : "";
  }

  /** Every text of a configuration that must not appear anywhere. */
  static ImmutableSet<String> secrets(CatalogConfig config) {
    Set<String> secrets = new LinkedHashSet<>();
    config.properties().forEach((key, value) -> addSecrets(key, value, secrets));
    config.hadoopConfiguration().forEach((key, value) -> addSecrets(key, value, secrets));
    secrets.removeIf(secret -> NO_SECRET.matcher(secret).matches());
    return ImmutableSet.copyOf(secrets);
  }

  private static void addSecrets(String key, String value, Set<String> secrets) {
    if (SHOWN.contains(key)) {
      return;
    }
    if (!SHOWN_LOCATIONS.contains(key)) {
      secrets.add(value);
      return;
    }
    int at = value.lastIndexOf('@');
    if (at >= 0) {
      String user = value.substring(scheme(value.substring(0, at)).length(), at);
      secrets.add(user);
      secrets.add(user.substring(user.indexOf(':') + 1));
      secrets.add(user.substring(user.indexOf('/') + 1));
    }
    String tail = value.substring(end(value));
    secrets.add(tail);
    for (String parameter : tail.split("[?;&#]", -1)) {
      secrets.add(parameter.substring(parameter.indexOf('=') + 1));
    }
  }

  /** The text with each secret replaced; longer ones first, since one may contain another. */
  static String scrub(String text, Set<String> secrets) {
    String scrubbed = text;
    for (String secret :
        secrets.stream().sorted((a, b) -> Integer.compare(b.length(), a.length())).toList()) {
      scrubbed = scrubbed.replace(secret, HIDDEN);
    }
    return scrubbed;
  }
}
