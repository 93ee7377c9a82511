package dev.tidemark.secrets;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Tells secrets that stand in a configuration themselves, where a reference should be; see {@link
 * Secrets}. A configuration is part of the job graph, which many people may look at.
 */
public final class BareSecrets {
  private static final Pattern SECRET_KEY =
      Pattern.compile(
          "(?i).*(password|passwd|secret|token|credential|jaas|authorization|access-?key|api-?key"
              + "|shared-key|encryption-key|decryption-key).*|(.*[.-])?key");
  private static final Pattern NO_SECRET_KEY =
      Pattern.compile(
          "(?i)token-(refresh|exchange)-enabled|token-expires-in-ms|.*[.-](location|type|provider|url)");
  private static final Pattern SECRET_IN_ADDRESS =
      Pattern.compile("(?i).*(//[^/@\\s]*:[^/@\\s]+@|(password|token|secret)=[^&;\\s]).*");

  /** Of a login module's line, whose other words are no secrets. */
  private static final Pattern SECRET_IN_JAAS =
      Pattern.compile("(?is).*(password|secret|token)\\w*\\s*=\\s*[\"']?[^\"'\\s;].*");

  private BareSecrets() {}

  /** Whether a property whose name is that of a secret has a value beside references. */
  public static boolean isOne(String key, String value) {
    if (!SECRET_KEY.matcher(key).matches() || NO_SECRET_KEY.matcher(key).matches()) {
      return false;
    }
    String rest = Secrets.withoutReferences(value);
    boolean line = key.toLowerCase(Locale.ROOT).contains("jaas") && Secrets.holdsReference(value);
    return line ? SECRET_IN_JAAS.matcher(rest).matches() : !rest.isBlank();
  }

  /** Whether an address has a password in it, as user information or as a parameter. */
  public static boolean isInAddress(String address) {
    return SECRET_IN_ADDRESS.matcher(Secrets.withoutReferences(address)).matches();
  }
}
