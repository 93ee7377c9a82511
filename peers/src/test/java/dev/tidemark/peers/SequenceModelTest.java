package dev.tidemark.peers;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import java.util.List;
import org.junit.Test;

public final class SequenceModelTest {
  @Test
  public void releasedRulesGiveWhatReleasedOperatorsDid() throws Exception {
    int traces = 0;
    for (Trace trace : Traces.all()) {
      if (trace.setting().mayHaveDefect()) {
        assertThat(
            trace.name(),
            replay(SequenceModel.released(trace.setting()), trace),
            is(trace.outcomes()));
        traces++;
      }
    }

    assertThat(traces, greaterThan(500));
  }

  @Test
  public void repairedRulesDifferWhereReleasedOperatorsFailed() throws Exception {
    int failed = 0;
    for (Trace trace : Traces.all()) {
      if (trace.fails()) {
        List<Outcome> repaired = replay(SequenceModel.repaired(trace.setting()), trace);
        assertThat(
            trace.name(),
            repaired.stream().noneMatch(outcome -> outcome.error() != null),
            is(true));
        failed++;
      }
    }

    assertThat(failed, greaterThan(50));
  }

  private static List<Outcome> replay(SequenceModel model, Trace trace) {
    return trace.events().stream()
        .map(
            event ->
                event instanceof Event.Change change
                    ? model.process(change.kind(), change.row())
                    : Outcome.NOTHING)
        .toList();
  }
}
