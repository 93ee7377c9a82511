package dev.tidemark.upsert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.io.BaseEncoding;
import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.change.ChangeKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.testing.CoderProperties;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.util.SerializableUtils;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class UpsertCodersTest {
  private static final BaseEncoding HEX = BaseEncoding.base16().lowerCase();
  private static final ChangeKind[] KINDS = ChangeKind.values();
  private static final byte[] NONE = {};

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static KeyedChanges changes() {
    return KeyedChanges.builder()
        .add(ChangeKind.INSERT, bytes("k"), bytes("id"), bytes("row"), true, bytes("c"))
        .add(ChangeKind.DELETE, bytes("k"), null, NONE, false, NONE)
        .build();
  }

  private static MaterializedBatch batch() {
    @Nullable ChangeKind[] kinds = {ChangeKind.INSERT, ChangeKind.UPDATE_AFTER};
    byte @Nullable [][] retained = {null, bytes("old")};
    return MaterializedBatch.of(changes(), kinds, retained);
  }

  @Test
  public void changesKeepTheirBytes() throws Exception {
    assertGolden(
        KeyedChangesCoder.of(),
        changes(),
        "01" + "02" + "09" + "0c01020301" + "03010000" + "6b6964726f7763" + "6b");
  }

  @Test
  public void noChangesKeepTheirBytes() throws Exception {
    assertGolden(KeyedChangesCoder.of(), KeyedChanges.builder().build(), "010000");
  }

  @Test
  public void materializedBatchKeepsItsBytes() throws Exception {
    assertGolden(
        MaterializedBatchCoder.of(),
        batch(),
        "01" + "0102090c01020301030100006b6964726f77636b" + "01" + "0d" + "036f6c64");
  }

  @Test
  public void waitingTimesKeepTheirBytes() throws Exception {
    assertGolden(
        WaitingTimes.CODER,
        WaitingTimes.of(300, -2, 258),
        "01" + "ac02" + "fffffffffffffffe" + "0000000000000102");
  }

  @Test
  public void randomBatchesSurviveCoding() throws Exception {
    for (int seed = 0; seed < 200; seed++) {
      MaterializedBatch batch = random(new Random(seed));
      MaterializedBatch decoded = CoderUtils.clone(MaterializedBatchCoder.of(), batch);
      assertThat("seed " + seed, describe(decoded), is(describe(batch)));
    }
  }

  /** Whatever a byte becomes, it decodes or it is refused; it never takes memory without end. */
  @Test
  public void damagedBytesAreRefusedOrDecoded() throws Exception {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      byte[] bytes = CoderUtils.encodeToByteArray(MaterializedBatchCoder.of(), random(random));
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      try {
        describe(decode(MaterializedBatchCoder.of(), bytes));
      } catch (IOException e) {
        assertThat("seed " + seed, e.getMessage() != null || e.getClass() != IOException.class);
      }
    }
  }

  @Test
  public void truncatedBytesAreRefused() throws Exception {
    byte[] bytes = CoderUtils.encodeToByteArray(MaterializedBatchCoder.of(), batch());
    for (int length = 0; length < bytes.length; length++) {
      byte[] truncated = Arrays.copyOf(bytes, length);
      assertThrows(
          "length " + length,
          IOException.class,
          () -> decode(MaterializedBatchCoder.of(), truncated));
    }
  }

  @Test
  public void changesOfAnotherVersionAreRefused() {
    assertRefused(KeyedChangesCoder.of(), "0200", "version 2 is not known");
  }

  @Test
  public void batchOfAnotherVersionIsRefused() {
    assertRefused(MaterializedBatchCoder.of(), "020100", "version 2 is not known");
  }

  @Test
  public void waitingTimesOfAnotherVersionAreRefused() {
    assertRefused(WaitingTimes.CODER, "02", "version 2 is not known");
  }

  @Test
  public void lengthsBeyondTwoGigabytesAreRefused() {
    assertRefused(
        KeyedChangesCoder.of(),
        "01" + "02" + "10" + "00ffffffff070000" + "00ffffffff070000",
        "longer than 2 GiB");
  }

  @Test
  public void negativeLengthIsRefused() {
    assertRefused(KeyedChangesCoder.of(), "01" + "01" + "08" + "00ffffffff0f0000", "bad length -1");
  }

  @Test
  public void largeLengthWithoutBytesTakesNoMemory() {
    assertRefused(KeyedChangesCoder.of(), "01" + "01" + "07" + "00ffffff7f0000", "end after 0 of");
  }

  @Test
  public void moreChangesThanHeadsAreRefused() {
    assertRefused(KeyedChangesCoder.of(), "01" + "02" + "04" + "00000000", "2 of them in 4 bytes");
    assertRefused(
        KeyedChangesCoder.of(), "01" + "02" + "08" + "0000000001808000", "heads are missing");
  }

  @Test
  public void headsThatNoChangeHasAreRefused() {
    assertRefused(
        KeyedChangesCoder.of(), "01" + "01" + "05" + "0000000000", "1 bytes too many of heads");
  }

  @Test
  public void lengthOfTooManyBytesIsRefused() {
    assertRefused(
        KeyedChangesCoder.of(), "01" + "01" + "09" + "00ffffffffff000000", "too many bytes");
  }

  @Test
  public void emissionOfARetractedHalfIsRefused() {
    assertRefused(
        MaterializedBatchCoder.of(),
        "01" + "0101" + "04" + "00010000" + "6b" + "03",
        "bad emission 0x3");
  }

  @Test
  public void codersAreSerializableAndEqual() {
    assertThat(
        SerializableUtils.ensureSerializable(KeyedChangesCoder.of()), is(KeyedChangesCoder.of()));
    assertThat(
        SerializableUtils.ensureSerializable(MaterializedBatchCoder.of()),
        is(MaterializedBatchCoder.of()));
  }

  private static MaterializedBatch random(Random random) {
    KeyedChanges.Builder builder = KeyedChanges.builder();
    int size = random.nextInt(40);
    @Nullable ChangeKind[] kinds = new ChangeKind[size];
    byte @Nullable [][] retained = new byte[size][];
    for (int i = 0; i < size; i++) {
      builder.add(
          KINDS[random.nextInt(KINDS.length)],
          randomBytes(random),
          random.nextBoolean() ? randomBytes(random) : null,
          randomBytes(random),
          random.nextBoolean(),
          randomBytes(random));
      ChangeKind[] emitted = {null, ChangeKind.INSERT, ChangeKind.UPDATE_AFTER, ChangeKind.DELETE};
      kinds[i] = emitted[random.nextInt(emitted.length)];
      retained[i] = kinds[i] != null && random.nextBoolean() ? randomBytes(random) : null;
    }
    return MaterializedBatch.of(builder.build(), kinds, retained);
  }

  private static byte[] randomBytes(Random random) {
    byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? 300 : 10)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static String describe(MaterializedBatch batch) {
    KeyedChanges changes = batch.changes();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < changes.size(); i++) {
      byte[] retained = batch.retained(i);
      text.append(changes.kind(i).symbol())
          .append(changes.complete(i))
          .append(hex(changes, changes.keyOffset(i), changes.keyLength(i)))
          .append(changes.hasIdentity(i))
          .append(hex(changes, changes.identityOffset(i), changes.identityLength(i)))
          .append(hex(changes, changes.payloadOffset(i), changes.payloadLength(i)))
          .append(hex(changes, changes.contextOffset(i), changes.contextLength(i)))
          .append(batch.kind(i))
          .append(retained == null ? "-" : HEX.encode(retained))
          .append('\n');
    }
    return text.toString();
  }

  private static String hex(KeyedChanges changes, int offset, int length) {
    return " " + HEX.encode(changes.data(), offset, length) + " ";
  }

  /** As a stream, whose end a decoder meets itself. */
  private static <T> T decode(Coder<T> coder, byte[] bytes) throws IOException {
    return coder.decode(new ByteArrayInputStream(bytes));
  }

  private static <T> void assertGolden(Coder<T> coder, T value, String hex) throws Exception {
    assertThat(HEX.encode(CoderUtils.encodeToByteArray(coder, value)), is(hex));
    T decoded = CoderUtils.decodeFromByteArray(coder, HEX.decode(hex));
    assertThat(HEX.encode(CoderUtils.encodeToByteArray(coder, decoded)), is(hex));
    CoderProperties.coderSerializable(coder);
  }

  private static void assertRefused(Coder<?> coder, String hex, String reason) {
    CoderException e = assertThrows(CoderException.class, () -> decode(coder, HEX.decode(hex)));
    assertThat(e.getMessage(), containsString(reason));
  }
}
