package dev.tidemark.streamload;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public final class LabelsTest {
  private static final List<String> COLUMNS = List.of("id", "v");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String digest(String... pieces) {
    List<byte[]> body = new ArrayList<>();
    for (String piece : pieces) {
      body.add(bytes(piece));
    }
    return Labels.digest(COLUMNS, Map.of(), body);
  }

  @Test
  public void labelOfAPlaceIsGolden() {
    assertThat(
        Labels.of("job").forSequence("shop", "orders", 492_000, 7, 42),
        matchesPattern("job_shop-orders-[0-9a-v]{16}_492000_7_42"));
    assertThat(
        Labels.of("job").forSequence("shop", "orders", 492_000, 7, 42),
        is(Labels.of("job").forSequence("shop", "orders", 492_000, 7, 42)));
  }

  @Test
  public void labelOfAContentEndsWithItsDigest() {
    String digest = digest("rows");
    assertThat(
        Labels.of("job").forContent("shop", "orders", 0, 7, 42, digest),
        is(Labels.of("job").forSequence("shop", "orders", 0, 7, 42) + "_d" + digest));
    assertThat(digest, matchesPattern("[0-9a-v]{26}"));
  }

  @Test
  public void labelsOfOddNamesDifferAndAreValid() {
    String[] names = {
      "t",
      "T",
      "t ",
      "t.u",
      "t-u",
      "t_u",
      "größe",
      "grösse",
      "数量",
      "_",
      "",
      "a".repeat(300),
      "a".repeat(301),
      "t\nu",
      "t`u"
    };
    String[] prefixes = {"p", "p_t", "p-", "p".repeat(128), "p".repeat(127) + "q"};
    Set<String> labels = new HashSet<>();
    for (String prefix : prefixes) {
      for (String database : names) {
        for (String table : names) {
          String label = Labels.of(prefix).forSequence(database, table, 1, 2, 3);
          assertThat(Labels.isValid(label), is(true));
          labels.add(label);
        }
      }
    }
    assertThat(labels, hasSize(prefixes.length * names.length * names.length));
  }

  @Test
  public void numbersDoNotRunTogether() {
    Set<String> labels = new HashSet<>();
    long[] numbers = {0, 1, 11, 111, Long.MAX_VALUE};
    for (long epoch : numbers) {
      for (int shard : new int[] {0, 1, 11, 111, Integer.MAX_VALUE}) {
        for (long sequence : numbers) {
          String label = Labels.of("p").forSequence("d", "t", epoch, shard, sequence);
          assertThat(Labels.isValid(label), is(true));
          labels.add(label);
          labels.add(Labels.of("p").forContent("d", "t", epoch, shard, sequence, digest("x")));
        }
      }
    }
    assertThat(labels, hasSize(250));
  }

  @Test
  public void longestLabelKeepsTheBeginningOfThePrefix() {
    String label =
        Labels.of("prefix" + "x".repeat(122))
            .forContent(
                "d".repeat(60),
                "t".repeat(60),
                Long.MAX_VALUE,
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                digest("x"));
    assertThat(label.length(), is(lessThanOrEqualTo(128)));
    assertThat(label, containsString("prefix"));
  }

  @Test
  public void digestIsOfContentAndNotOfItsPieces() {
    assertThat(digest("ab", "c"), is(digest("a", "bc")));
    assertThat(digest("abc"), is(not(digest("abd"))));
  }

  @Test
  public void digestIsOfColumnsAndHeadersToo() {
    List<byte[]> body = List.of(bytes("x"));
    String plain = Labels.digest(COLUMNS, Map.of(), body);
    assertThat(Labels.digest(List.of("v", "id"), Map.of(), body), is(not(plain)));
    assertThat(Labels.digest(List.of("id,v"), Map.of(), body), is(not(plain)));
    assertThat(Labels.digest(COLUMNS, Map.of("partial_columns", "true"), body), is(not(plain)));
  }

  @Test
  public void requestCarriesItsContentOnlyUnderItsOwnDigest() {
    byte[] body = bytes("rows");
    String own =
        Labels.of("p")
            .forContent("d", "t", 0, 0, 1, Labels.digest(COLUMNS, Map.of(), List.of(body)));
    assertThat(carries(own, body), is(true));
    assertThat(carries(own, bytes("other rows")), is(false));
    assertThat(carries(Labels.of("p").forSequence("d", "t", 0, 0, 1), body), is(false));
  }

  private static boolean carries(String label, byte[] body) {
    return Labels.carriesContent(LoadRequest.of("d", "t", label, COLUMNS, List.of(body)));
  }

  @Test
  public void randomPlacesNeverCollide() {
    Random random = new Random(7);
    Set<String> places = new HashSet<>();
    Set<String> labels = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      String table = Integer.toString(random.nextInt(50), 36);
      int shard = random.nextInt(20);
      long sequence = random.nextInt(500);
      places.add(table + "/" + shard + "/" + sequence);
      labels.add(Labels.of("p").forSequence("d", table, 3, shard, sequence));
    }
    assertThat(labels, hasSize(places.size()));
  }

  @Test
  public void prefixesThatDorisRefusesAreRefused() {
    for (String prefix : new String[] {"", "a.b", "a b", "ä", "a".repeat(129), "a\n"}) {
      assertThrows(prefix, IllegalArgumentException.class, () -> Labels.of(prefix));
    }
  }
}
