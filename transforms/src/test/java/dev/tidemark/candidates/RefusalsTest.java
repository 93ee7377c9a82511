package dev.tidemark.candidates;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class RefusalsTest {
  private static final String BEFORE =
      "16 shards; sink key:1:SORTED:(id INT64); no upsert key; rows:1:SORTED:(id INT64, b INT32)";

  private static String refusal(String now) {
    return Refusals.ofDescription(BEFORE, now).getMessage();
  }

  private static String message(String before, String now) {
    return String.format(
        "Cannot use stored candidates: they belong to [%s], and the transform is now [%s]."
            + " Configure it as before, or begin with new state.",
        before, now);
  }

  @Test
  public void onlyTheSettingThatDiffersIsNamed() {
    assertThat(
        refusal(BEFORE.replace("16 shards", "8 shards")), is(message("16 shards", "8 shards")));
    assertThat(
        refusal(BEFORE.replace("sink key:1:SORTED:(id INT64)", "sink key:1:SORTED:(b INT32)")),
        is(message("sink key:1:SORTED:(id INT64)", "sink key:1:SORTED:(b INT32)")));
    assertThat(
        refusal(BEFORE.replace("no upsert key", "upsert key:1:SORTED:(id INT64)")),
        is(message("no upsert key", "upsert key:1:SORTED:(id INT64)")));
    assertThat(
        refusal(BEFORE.replace("b INT32)", "b INT64)")),
        is(message("rows:1:SORTED:(id INT64, b INT32)", "rows:1:SORTED:(id INT64, b INT64)")));
  }

  @Test
  public void settingsThatDifferTogetherAreNamedTogether() {
    assertThat(
        refusal(BEFORE.replace("16", "8").replace("b INT32", "c INT32")),
        is(
            message(
                "16 shards; rows:1:SORTED:(id INT64, b INT32)",
                "8 shards; rows:1:SORTED:(id INT64, c INT32)")));
  }

  @Test
  public void descriptionsOfOtherFormsAreShownWhole() {
    assertThat(refusal("8 shards; a; b"), is(message(BEFORE, "8 shards; a; b")));
  }

  @Test
  public void waysOfComparingAreNamedByTheirStrategies() {
    UpsertSemantics floats = UpsertSemantics.of(UpsertStrategy.MAP).withFloatUpsertKey(false);
    int map = Matching.of(floats).code();
    int adaptive =
        Matching.of(UpsertSemantics.of(UpsertStrategy.ADAPTIVE).withFloatUpsertKey(true)).code();
    int legacy =
        Matching.of(UpsertSemantics.of(UpsertStrategy.LEGACY).withFloatUpsertKey(false)).code();
    assertThat(
        Refusals.ofMatching(map, adaptive).getMessage(),
        is(
            "Cannot use stored candidates: their upsert keys were compared as a store on files does it under"
                + " strategy MAP, and are now compared as a store in memory does it under strategy ADAPTIVE."
                + " Set strategy and kind of store as before, or begin with new state."));
    assertThat(
        Matching.describe(legacy),
        is("as a store on files does it under strategy LEGACY or VALUE"));
    assertThat(
        Matching.describe(0) + ", " + Matching.describe(1), is("as whole rows, by their bytes"));
  }
}
