package dev.tidemark.iceberg;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableSortedMap;
import dev.tidemark.change.ChangeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class RowsByKindFnTest {
  private static final Schema SCHEMA =
      Schema.builder().addInt64Field("id").addNullableField("kind", FieldType.STRING).build();

  @Test
  public void kindsAreNamed() {
    assertThat(
        entries(
            ChangeKind.INSERT.symbol(),
            ChangeKind.INSERT.symbol(),
            ChangeKind.UPDATE_BEFORE.symbol(),
            ChangeKind.UPDATE_AFTER.symbol(),
            ChangeKind.DELETE.symbol()),
        equalTo(Map.of("insert", "2", "update-before", "1", "update-after", "1", "delete", "1")));
  }

  @Test
  public void otherValuesAreKeysOfTheirLetters() {
    assertThat(
        entries("Web Shop", "web-shop", "x_y", null, "", "z".repeat(33)),
        equalTo(Map.of("web-shop", "2", "x-y", "1", "null", "1", "other", "2")));
  }

  @Test
  public void longTailIsSummedUp() {
    String[] values = new String[100];
    for (int i = 0; i < values.length; i++) {
      values[i] = String.format("v%03d", i);
    }

    Map<String, String> entries = entries(values);

    assertThat(entries.size(), is(17));
    assertThat(entries.get("v015"), is("1"));
    assertThat(entries.get("other"), is("84"));
  }

  @Test
  public void mergedPartsCountLikeTheWhole() throws Exception {
    RowsByKindFn fn = RowsByKindFn.of("kind", SCHEMA);
    Coder<Map<String, Long>> coder =
        fn.getAccumulatorCoder(CoderRegistry.createDefault(), RowCoder.of(SCHEMA));
    List<Map<String, Long>> parts = new ArrayList<>();
    for (String value : Arrays.asList("+I", "+I", "-D", null)) {
      parts.add(CoderUtils.clone(coder, fn.addInput(fn.createAccumulator(), row(value))));
    }

    assertThat(
        fn.extractOutput(fn.mergeAccumulators(parts)),
        equalTo(ImmutableSortedMap.of("+I", 2L, "-D", 1L, "null", 1L)));
  }

  @Test
  public void onlyTextColumnsAreCountedBy() {
    assertThrows(IllegalArgumentException.class, () -> RowsByKindFn.of("id", SCHEMA));
    assertThrows(IllegalArgumentException.class, () -> RowsByKindFn.of("region", SCHEMA));
  }

  private static Map<String, String> entries(@Nullable String... values) {
    RowsByKindFn fn = RowsByKindFn.of("kind", SCHEMA);
    Map<String, Long> accumulator = fn.createAccumulator();
    for (String value : values) {
      accumulator = fn.addInput(accumulator, row(value));
    }
    return RowsByKindFn.entries(fn.extractOutput(accumulator));
  }

  private static Row row(@Nullable String kind) {
    return Row.withSchema(SCHEMA).addValues(1L, kind).build();
  }
}
