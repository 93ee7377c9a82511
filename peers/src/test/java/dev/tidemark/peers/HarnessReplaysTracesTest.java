package dev.tidemark.peers;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public final class HarnessReplaysTracesTest {
  private static final boolean LONG = Boolean.getBoolean("tidemark.long");

  @Test
  public void releasedOperatorDoesWhatWasRecorded() throws Exception {
    ImmutableList<Trace> traces = Traces.all();
    int failed = 0;

    for (int i = 0; i < traces.size(); i++) {
      Trace trace = traces.get(i);
      if (LONG || chosen(i, trace)) {
        assertThat(trace.name(), replay(trace), is(trace.outcomes()));
        failed += trace.fails() ? 1 : 0;
      }
    }

    assertThat("traces that end in the defect", failed, greaterThan(3));
  }

  /** One in 37, which goes through all settings, and more of what is rare. */
  private static boolean chosen(int number, Trace trace) {
    boolean rare = trace.fails() || trace.setting().ttlMillis() > 0;
    return number % (rare ? 5 : 37) == 0;
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
