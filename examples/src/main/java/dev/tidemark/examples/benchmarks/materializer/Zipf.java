package dev.tidemark.examples.benchmarks.materializer;

import java.util.SplittableRandom;

/**
 * Numbers of which small ones come more often: number i with a probability in proportion to 1 / (i
 * + 1).
 */
final class Zipf {
  private final double logBound;
  private final int bound;
  private final SplittableRandom random;

  Zipf(int bound, long seed) {
    this.bound = bound;
    this.logBound = Math.log(bound + 1.0);
    this.random = new SplittableRandom(seed);
  }

  int next() {
    // The inverse of the integral over 1 / x, close enough to the sum.
    int number = (int) Math.exp(random.nextDouble() * logBound) - 1;
    return Math.min(number, bound - 1);
  }
}
