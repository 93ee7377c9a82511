package dev.tidemark.examples.benchmarks;

import dev.tidemark.eventtime.EventTimeSketch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Compares {@link EventTimeSketch} with datasketches' t-digest (k = 100): thread CPU time per
 * update, encoded bytes, and the rank error of the former, all at 10^6 records.
 *
 * <p>Run without arguments. Each candidate runs in a child JVM of its own, both stay alive, and
 * their rounds alternate, so that load from elsewhere meets both. The last line is {@code sketch
 * ratio_update=... ratio_bytes=... max_rank_error=...}: the greatest ratio over the streams, for
 * each candidate the median over the rounds, and the greatest error in per cent. The t-digest's own
 * {@code getQuantile} is not compared: it is wrong before datasketches-java 9.1.0.
 */
public final class SketchBenchmark {
  private static final int WARM_UP_ROUNDS = 3;
  private static final int ROUNDS = 7;

  private SketchBenchmark() {}

  /** Runs the benchmark; the arguments are for its own child processes. */
  public static void main(String[] args) throws IOException {
    if (args.length > 0) {
      SketchCandidate.serve(SketchCandidate.valueOf(args[0]), System.in, System.out);
      return;
    }
    try (ChildJvm own = ChildJvm.start(SketchCandidate.TIDEMARK);
        ChildJvm peer = ChildJvm.start(SketchCandidate.DATASKETCHES)) {
      System.out.println(compare(own, peer));
    }
  }

  private static String compare(ChildJvm own, ChildJvm peer) throws IOException {
    System.out.printf(
        Locale.ROOT,
        "%-16s %12s %12s %6s %10s %10s %6s %12s%n",
        "stream",
        "own ns",
        "peer ns",
        "ratio",
        "own bytes",
        "peer bytes",
        "ratio",
        "rank error %");
    double worstUpdate = 0;
    double worstBytes = 0;
    double worstError = 0;
    for (SketchStream stream : SketchStream.values()) {
      Measured measured = measure(stream, own, peer);
      double error = SketchRankError.ofMergedPartials(stream.eventTimes());
      System.out.printf(
          Locale.ROOT,
          "%-16s %12.1f %12.1f %6.2f %10d %10d %6.2f %12s%n",
          stream.label(),
          measured.ownNanos,
          measured.peerNanos,
          measured.ownNanos / measured.peerNanos,
          measured.ownBytes,
          measured.peerBytes,
          (double) measured.ownBytes / measured.peerBytes,
          String.format(Locale.ROOT, "%.3f%s", error, stream.interpolates() ? "" : " (grid)"));
      worstUpdate = Math.max(worstUpdate, measured.ownNanos / measured.peerNanos);
      if (stream.isLive()) {
        worstBytes = Math.max(worstBytes, (double) measured.ownBytes / measured.peerBytes);
      }
      if (stream.interpolates()) {
        worstError = Math.max(worstError, error);
      }
    }
    System.out.println(
        "Bytes: the ratio of live streams counts; streams dense over weeks keep exact counts of"
            + " up to 192 buckets. Grid: a value may be read out between two whole seconds.");
    return String.format(
        Locale.ROOT,
        "sketch ratio_update=%.3f ratio_bytes=%.3f max_rank_error=%.3f",
        worstUpdate,
        worstBytes,
        worstError);
  }

  private static Measured measure(SketchStream stream, ChildJvm own, ChildJvm peer)
      throws IOException {
    List<Double> ownNanos = new ArrayList<>();
    List<Double> peerNanos = new ArrayList<>();
    Measured measured = new Measured();
    for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      SketchCandidate.Round ofOwn = own.run(stream);
      SketchCandidate.Round ofPeer = peer.run(stream);
      measured.ownBytes = ofOwn.bytes();
      measured.peerBytes = ofPeer.bytes();
      if (round >= 0) {
        ownNanos.add(ofOwn.nanosPerUpdate());
        peerNanos.add(ofPeer.nanosPerUpdate());
      }
    }
    measured.ownNanos = median(ownNanos);
    measured.peerNanos = median(peerNanos);
    return measured;
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Medians of one stream. */
  private static final class Measured {
    private double ownNanos;
    private double peerNanos;
    private int ownBytes;
    private int peerBytes;
  }
}
