package dev.tidemark.peers;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public final class HarnessReplaysTracesTest {
  @Test
  public void releasedOperatorDoesWhatWasRecorded() throws Exception {
    ImmutableList<Trace> traces = Traces.all();

    for (Trace trace : traces) {
      assertThat(trace.name(), replay(trace), is(trace.outcomes()));
    }

    assertThat(traces.size(), greaterThan(50));
  }

  private static List<Outcome> replay(Trace trace) throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    try (ReleasedMaterializer materializer = ReleasedMaterializer.open(trace.setting())) {
      for (Event event : trace.events()) {
        if (event instanceof Event.Change change) {
          outcomes.add(materializer.process(change.kind(), change.row()));
        } else {
          if (event instanceof Event.Time time) {
            materializer.setMillis(time.millis());
          } else {
            materializer.restore();
          }
          outcomes.add(Outcome.NOTHING);
        }
      }
    }
    return outcomes;
  }
}
