package dev.tidemark.doris.emulator;

import java.util.ArrayList;
import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The faults that are still to come. */
final class Faults {

  /** A fault and what is left of it. */
  private static final class Pending {
    final Fault fault;
    int skip;
    int times;

    Pending(Fault fault) {
      this.fault = fault;
      this.skip = fault.skip();
      this.times = fault.times();
    }
  }

  private final List<Pending> pending = new ArrayList<>();

  synchronized void add(Fault fault) {
    pending.add(new Pending(fault));
  }

  synchronized void clear() {
    pending.clear();
  }

  synchronized List<Fault> pending() {
    return pending.stream().map(next -> next.fault).toList();
  }

  /** The fault that meets a request, if any; at most one does. */
  synchronized @Nullable Fault take(
      Fault.Leg leg, Fault.Operation operation, String table, String label) {
    for (Pending next : List.copyOf(pending)) {
      if (next.fault.matches(leg, operation, table, label)) {
        if (next.skip > 0) {
          next.skip--;
        } else {
          if (--next.times == 0) {
            pending.remove(next);
          }
          return next.fault;
        }
      }
    }
    return null;
  }
}
