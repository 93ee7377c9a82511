package dev.tidemark.flink.testing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Crashes at named points, shared by all tasks of this process. A plan says at which passes of a
 * point (1 for the first) an exception is thrown, which makes Flink restore the job.
 */
public final class Crashes {
  private static final Map<String, TreeSet<Integer>> PLAN = new HashMap<>();
  private static final Map<String, Integer> PASSES = new HashMap<>();
  private static final List<String> DONE = new ArrayList<>();

  private Crashes() {}

  /** The exception of an injected crash. */
  public static final class InjectedCrash extends RuntimeException {
    InjectedCrash(String point) {
      super("Injected crash at " + point);
    }
  }

  /** The error of an injected crash. */
  public static final class InjectedError extends Error {
    InjectedError(String point) {
      super("Injected crash at " + point);
    }
  }

  public static synchronized void reset() {
    PLAN.clear();
    PASSES.clear();
    DONE.clear();
  }

  public static synchronized void plan(String point, int... passes) {
    TreeSet<Integer> planned = PLAN.computeIfAbsent(point, p -> new TreeSet<>());
    for (int pass : passes) {
      planned.add(pass);
    }
  }

  /** Lets the next pass of a point crash, however many there were. */
  public static synchronized void planNext(String point) {
    plan(point, PASSES.getOrDefault(point, 0) + 1);
  }

  /** Passes a point. */
  public static void point(String point) {
    if (isDue(point)) {
      throw new InjectedCrash(point);
    }
  }

  /** Passes a point in code whose exceptions are handled: what is thrown there is an error. */
  public static void errorPoint(String point) {
    if (isDue(point)) {
      throw new InjectedError(point);
    }
  }

  private static synchronized boolean isDue(String point) {
    int pass = PASSES.merge(point, 1, Integer::sum);
    TreeSet<Integer> planned = PLAN.get(point);
    if (planned == null || !planned.remove(pass)) {
      return false;
    }
    DONE.add(point);
    return true;
  }

  public static synchronized int passes(String point) {
    return PASSES.getOrDefault(point, 0);
  }

  public static synchronized List<String> done() {
    return List.copyOf(DONE);
  }

  public static synchronized int left() {
    return PLAN.values().stream().mapToInt(TreeSet::size).sum();
  }
}
