package dev.tidemark.streamload;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Keeps credentials out of texts that came from elsewhere. */
final class Secrets {
  private static final String HIDDEN = "***";
  private static final Pattern USER_INFORMATION = Pattern.compile("(?<=://)[^/\\s\"]*@");

  /** Such as would garble texts, and protect nothing. */
  private static final Pattern NO_SECRET = Pattern.compile("|..?|true|false|[0-9]{1,6}");

  /** Longest first, since one may contain another. */
  private final List<String> secrets;

  private final String authorization;

  Secrets(String user, String password) {
    String pair = user + ":" + password;
    String basic = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    authorization = "Basic " + basic;
    Set<String> all = new LinkedHashSet<>();
    addSpellings(pair, all);
    if (!NO_SECRET.matcher(password).matches()) {
      addSpellings(password, all);
    }
    all.add(basic);
    secrets = all.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList();
  }

  private static void addSpellings(String secret, Set<String> all) {
    all.add(secret);
    String form = URLEncoder.encode(secret, StandardCharsets.UTF_8);
    all.add(form);
    all.add(form.replace("+", "%20"));
    all.add(secret.replace("\\", "\\\\").replace("\"", "\\\""));
  }

  /** The value of the header that carries user and password. */
  String authorization() {
    return authorization;
  }

  /** The text without credentials, its line breaks and control characters as spaces, cut. */
  String scrub(String text, int maxLength) {
    String clean = hide(text).replaceAll("\\p{Cntrl}+", " ").strip();
    return clean.length() <= maxLength ? clean : clean.substring(0, maxLength) + "…";
  }

  /** The text without credentials. */
  String hide(String text) {
    String clean = text;
    for (String secret : secrets) {
      clean = clean.replace(secret, HIDDEN);
    }
    return withoutUser(clean);
  }

  /** The text with URLs that name no user. Unlike {@link #hide} it leaves URLs usable. */
  static String withoutUser(String text) {
    return USER_INFORMATION.matcher(text).replaceAll("");
  }
}
