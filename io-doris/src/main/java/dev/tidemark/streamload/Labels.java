package dev.tidemark.streamload;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Labels of loads: the same load has the same label on each attempt, and no two loads of a database
 * share one.
 *
 * <p>Layout: {@code {prefix}_{database-table}-{hash}_{epoch}_{shard}_{sequence}}, in label mode
 * followed by {@code _d{digest}}. The hash is of prefix, database and table, which may be cut and
 * have foreign characters replaced to fit into 128 characters; so labels of other tables and
 * prefixes differ whatever their names.
 */
public final class Labels implements Serializable {
  private static final long serialVersionUID = 1L;

  static final Pattern PATTERN = Pattern.compile("^[-_A-Za-z0-9:]{1,128}$");
  private static final int MAX_LENGTH = 128;
  private static final int HASH_BYTES = 10;
  private static final String DIGEST_MARK = "_d";
  private static final BaseEncoding TEXT = BaseEncoding.base32Hex().lowerCase().omitPadding();

  private final String prefix;

  private Labels(String prefix) {
    this.prefix = prefix;
  }

  /** Labels that begin with this prefix; two pipelines that load at a time have two of them. */
  public static Labels of(String prefix) {
    if (!isValid(prefix)) {
      throw new IllegalArgumentException(
          "Invalid label prefix: '%s' (must match %s)".formatted(prefix, PATTERN));
    }
    return new Labels(prefix);
  }

  /** The prefix, uncut. */
  public String prefix() {
    return prefix;
  }

  /** The label of a two-phase load: by its place in the order of its shard. */
  public String forSequence(String database, String table, long epoch, int shard, long sequence) {
    String place = "_%d_%d_%d".formatted(epoch, shard, sequence);
    return label(database, table, place);
  }

  /** The label of a load in label mode: by its place in the order of its shard, and its content. */
  public String forContent(
      String database, String table, long epoch, int shard, long sequence, String digest) {
    String place = "_%d_%d_%d".formatted(epoch, shard, sequence);
    return label(database, table, place + DIGEST_MARK + digest);
  }

  private String label(String database, String table, String tail) {
    String end = "-" + hash(prefix, database, table) + tail;
    String name = readable(database + "-" + table);
    int room = MAX_LENGTH - end.length();
    String head = prefix + "_" + name;
    if (head.length() > room) {
      // The table's name yields first; of the prefix at least its beginning stays.
      String shortPrefix = prefix.substring(0, Math.min(prefix.length(), room - 1));
      head = shortPrefix + "_" + name.substring(0, room - 1 - shortPrefix.length());
    }
    return head + end;
  }

  /**
   * A digest of what a load brings: columns, further headers, and body, however it is cut in
   * pieces. It tells loads apart that differ by chance, and costs a tenth of a cryptographic one:
   * who could forge a label can load rows as well.
   */
  public static String digest(
      List<String> columns, Map<String, String> headers, List<byte[]> body) {
    Hasher hasher = Hashing.murmur3_128().newHasher();
    hasher.putInt(columns.size());
    columns.forEach(column -> add(hasher, column));
    Map<String, String> sorted = new TreeMap<>(headers);
    hasher.putInt(sorted.size());
    sorted.forEach(
        (name, value) -> {
          add(hasher, name);
          add(hasher, value);
        });
    body.forEach(hasher::putBytes);
    return TEXT.encode(hasher.hash().asBytes());
  }

  /** Whether the request's label names the digest of its content. */
  static boolean carriesContent(LoadRequest request) {
    int mark = request.label().lastIndexOf(DIGEST_MARK);
    return mark >= 0
        && request
            .label()
            .substring(mark + DIGEST_MARK.length())
            .equals(digest(request.columns(), request.headers(), request.body()));
  }

  static boolean isValid(String label) {
    return PATTERN.matcher(label).matches();
  }

  private static String readable(String name) {
    return name.replaceAll("[^A-Za-z0-9]+", "-");
  }

  private static String hash(String... parts) {
    Hasher framed = Hashing.sha256().newHasher();
    for (String part : parts) {
      add(framed, part);
    }
    return TEXT.encode(Arrays.copyOf(framed.hash().asBytes(), HASH_BYTES));
  }

  /** With its length before it, so that no two lists of texts look alike. */
  private static void add(Hasher hasher, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    hasher.putInt(bytes.length);
    hasher.putBytes(bytes);
  }
}
