package dev.tidemark.peers;

import java.util.ArrayList;
import java.util.List;

/** Makes a failing scenario smaller: removes events as long as it still fails. */
final class Shrinking {
  private static final int MAX_TRIES = 500;

  private final Condition fails;
  private int tries;

  private Shrinking(Condition fails) {
    this.fails = fails;
  }

  /** Says whether a scenario fails. */
  interface Condition {
    boolean holds(Scenario scenario) throws Exception;
  }

  /** The scenario with fewer events, of which none can be missed; or those left when time is up. */
  static Scenario shrink(Scenario scenario, int changelog, Condition fails) throws Exception {
    Shrinking shrinking = new Shrinking(fails);
    List<Event> alone =
        scenario.events().stream()
            .filter(
                event -> !(event instanceof Event.Change change) || change.changelog() == changelog)
            .toList();
    return shrinking.shrink(fails.holds(scenario.with(alone)) ? scenario.with(alone) : scenario);
  }

  private Scenario shrink(Scenario scenario) throws Exception {
    Scenario smallest = scenario;
    for (int length = scenario.events().size() / 2; length > 0; ) {
      Scenario smaller = withoutRunsOf(length, smallest);
      boolean again = length == 1 && smaller.events().size() < smallest.events().size();
      smallest = smaller;
      length = again ? 1 : length / 2;
    }
    return smallest;
  }

  private Scenario withoutRunsOf(int length, Scenario scenario) throws Exception {
    Scenario smallest = scenario;
    for (int from = 0; from < smallest.events().size() && tries < MAX_TRIES; tries++) {
      List<Event> fewer = new ArrayList<>(smallest.events());
      fewer.subList(from, Math.min(from + length, fewer.size())).clear();
      Scenario candidate = smallest.with(fewer);
      if (fails.holds(candidate)) {
        smallest = candidate;
      } else {
        from += length;
      }
    }
    return smallest;
  }
}
