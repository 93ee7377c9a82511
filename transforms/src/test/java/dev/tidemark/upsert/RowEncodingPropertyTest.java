package dev.tidemark.upsert;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import dev.tidemark.candidates.CorruptStateException;
import java.util.Arrays;
import java.util.Random;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class RowEncodingPropertyTest {
  private static final int SCHEMAS = Boolean.getBoolean("tidemark.long") ? 20_000 : 300;
  private static final int ROWS = 20;

  @Test
  public void rowsComeBack() {
    forEachRow(
        true,
        (encoding, row, bytes, random, seed) -> {
          Row back = encoding.decode(bytes);
          assertThat(seed, back, equalTo(row));
          assertThat(seed, encoding.encode(back), equalTo(bytes));
        });
  }

  @Test
  public void rowsComeBackFromTheMiddleOfAnArray() {
    forEachRow(
        true,
        (encoding, row, bytes, random, seed) -> {
          byte[] wide = new byte[bytes.length + 7];
          random.nextBytes(wide);
          System.arraycopy(bytes, 0, wide, 3, bytes.length);
          assertThat(seed, encoding.decode(wide, 3, bytes.length), equalTo(row));
        });
  }

  @Test
  public void truncatedBytesAreRefused() {
    forEachRow(
        true,
        (encoding, row, bytes, random, seed) -> {
          if (bytes.length > 0) {
            int length = random.nextInt(bytes.length);
            assertThat(seed, readable(encoding, bytes, length), is(false));
          }
        });
  }

  @Test
  public void alteredBytesAreRefusedOrAreThoseOfAnotherRow() {
    int[] outcomes = new int[2];
    forEachRow(
        false,
        (encoding, row, bytes, random, seed) -> {
          byte[] altered = bytes.clone();
          for (int i = random.nextInt(3); i >= 0 && altered.length > 0; i--) {
            altered[random.nextInt(altered.length)] ^= (byte) (1 << random.nextInt(8));
          }
          if (readable(encoding, altered, altered.length)) {
            outcomes[0]++;
            Row read = encoding.decode(altered);
            byte[] again = encoding.encode(read);
            // A map read from bytes that have a key twice has it once.
            if (seed.contains("MAP")) {
              assertThat(seed, encoding.decode(again), equalTo(read));
            } else {
              assertThat(seed, again, equalTo(altered));
            }
          } else {
            outcomes[1]++;
          }
        });
    assertThat(outcomes[0], greaterThan(SCHEMAS));
    assertThat(outcomes[1], greaterThan(SCHEMAS));
  }

  @Test
  public void noiseIsRefusedOrIsARow() {
    int[] refused = new int[1];
    forEachRow(
        true,
        (encoding, row, bytes, random, seed) -> {
          byte[] noise = new byte[random.nextInt(100)];
          random.nextBytes(noise);
          if (random.nextBoolean()) {
            Arrays.fill(noise, (byte) -1);
          }
          if (!readable(encoding, noise, noise.length)) {
            refused[0]++;
          }
        });
    assertThat(refused[0], greaterThan(SCHEMAS));
  }

  /** Whatever is thrown besides the one exception fails the test. */
  private static boolean readable(RowEncoding encoding, byte[] bytes, int length) {
    try {
      encoding.decode(bytes, 0, length);
      return true;
    } catch (CorruptStateException e) {
      return false;
    }
  }

  private static void forEachRow(boolean logicalTypes, Property property) {
    long base = Long.getLong("tidemark.seed", 7);
    for (int i = 0; i < SCHEMAS; i++) {
      long seed = base + i;
      Random random = new Random(seed);
      RandomRows rows = new RandomRows(random, logicalTypes);
      Schema schema = rows.schema();
      RowEncoding encoding =
          RowEncoding.of(schema)
              .withMapOrder(random.nextBoolean() ? MapOrder.SORTED : MapOrder.AS_GIVEN);
      String message = "-Dtidemark.seed=" + seed + " " + SchemaText.of(schema);
      for (int j = 0; j < ROWS; j++) {
        Row row = rows.row(schema);
        try {
          property.check(encoding, row, encoding.encode(row), random, message);
        } catch (RuntimeException e) {
          throw new AssertionError(message, e);
        }
      }
    }
  }

  private interface Property {
    void check(RowEncoding encoding, Row row, byte[] bytes, Random random, String seed);
  }
}
