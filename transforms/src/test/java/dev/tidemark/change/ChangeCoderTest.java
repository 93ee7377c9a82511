package dev.tidemark.change;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.BaseEncoding;
import dev.tidemark.change.LogPosition.Step;
import java.util.List;
import java.util.Random;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.CoderProperties;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.Row;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Both coders of the package: their bytes are stored by runners and in dead letters. */
@RunWith(JUnit4.class)
public class ChangeCoderTest {
  private static final Schema SCHEMA =
      Schema.builder().addInt32Field("id").addNullableStringField("name").build();
  private static final ImmutableList<ChangeKind> KINDS = ImmutableList.copyOf(ChangeKind.values());
  private static final ImmutableList<Step> STEPS = ImmutableList.copyOf(Step.values());
  private static final ChangeCoder CODER = ChangeCoder.of(SCHEMA);
  private static final Change PLAIN = Change.of(ChangeKind.UPDATE_AFTER, row(7, "seven"));
  private static final Change KEY_ONLY =
      Change.of(ChangeKind.DELETE, row(7, null))
          .withPosition(LogPosition.of(0x1DD7C28, Step.REMOVE, 300))
          .withUnknownColumns(List.of("name"));

  @Test
  public void plainChangeHasGoldenBytes() throws Exception {
    assertGolden(CODER, PLAIN, "01020200" + "07" + "05736576656e");
  }

  @Test
  public void keyOnlyChangeHasGoldenBytes() throws Exception {
    assertGolden(
        CODER, KEY_ONLY, "010f" + "0000000001dd7c28" + "01" + "ac02" + "01" + "02" + "02010207");
  }

  @Test
  public void debeziumRecordHasGoldenBytes() throws Exception {
    assertGolden(
        DebeziumRecordCoder.of(),
        DebeziumRecord.of("t.a", "{}", null).withHeaders(ImmutableMap.of("h", "v")),
        "01" + "03742e61" + "01" + "0168" + "0176" + "01027b7d" + "00");
  }

  @Test
  public void randomChangesSurviveCoding() throws Exception {
    Random random = new Random(7);
    for (int i = 0; i < 500; i++) {
      boolean unknown = random.nextBoolean();
      Change change =
          Change.of(
              KINDS.get(random.nextInt(KINDS.size())),
              row(random.nextInt(), unknown ? null : "n" + random.nextInt()));
      if (unknown) {
        change = change.withUnknownColumns(List.of("name"));
      }
      if (random.nextBoolean()) {
        change =
            change.withPosition(
                LogPosition.of(
                    random.nextLong(),
                    STEPS.get(random.nextInt(STEPS.size())),
                    random.nextLong() & Long.MAX_VALUE));
      }
      CoderProperties.coderDecodeEncodeEqual(CODER, change);
      CoderProperties.coderDeterministic(CODER, change, change);
    }
  }

  @Test
  public void unknownVersionIsRefused() {
    assertThat(refusal("02020200"), containsString("version 2 is not known"));
  }

  @Test
  public void unknownHeaderBitsAreRefused() {
    assertThat(refusal("01120200"), containsString("bad header 0x12"));
  }

  @Test
  public void unknownStepIsRefused() {
    assertThat(refusal("0106" + "0000000000000001" + "04" + "00"), containsString("log position"));
  }

  @Test
  public void unknownColumnsBeyondTheSchemaAreRefused() {
    for (String bits : ImmutableList.of("0104", "0100", "00", "020001", "ffffffff07")) {
      assertThat(refusal("010a" + bits), containsString("do not fit the schema"));
    }
  }

  @Test
  public void codersOfEqualSchemasAreEqual() throws Exception {
    Coder<?> copy = SerializableUtils.ensureSerializable(CODER);
    assertThat(copy, equalTo(CODER));
    assertThat(copy.hashCode(), is(CODER.hashCode()));
    CODER.verifyDeterministic();
  }

  private static String refusal(String hex) {
    return assertThrows(
            CoderException.class,
            () ->
                CoderUtils.decodeFromByteArray(
                    CODER, BaseEncoding.base16().lowerCase().decode(hex)))
        .getMessage();
  }

  private static <T> void assertGolden(Coder<T> coder, T value, String hex) throws Exception {
    assertThat(
        BaseEncoding.base16().lowerCase().encode(CoderUtils.encodeToByteArray(coder, value)),
        is(hex));
    assertThat(
        CoderUtils.decodeFromByteArray(coder, BaseEncoding.base16().lowerCase().decode(hex)),
        equalTo(value));
  }

  private static Row row(Object... values) {
    return Row.withSchema(SCHEMA).addValues(values).build();
  }
}
