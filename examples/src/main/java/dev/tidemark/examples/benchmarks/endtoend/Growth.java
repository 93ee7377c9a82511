package dev.tidemark.examples.benchmarks.endtoend;

import java.util.Map;

/** How a cost grows with what it depends on. */
final class Growth {
  private Growth() {}

  /**
   * The exponent {@code e} of the power {@code cost = c * x^e} that is closest to the costs, by
   * least squares of logarithms: 0 is flat, 1 is proportional. NaN with fewer than two costs.
   *
   * @param costs by what they depend on
   */
  static double exponent(Map<Integer, Double> costs) {
    double meanX = costs.keySet().stream().mapToDouble(Math::log).average().orElse(Double.NaN);
    double meanY = costs.values().stream().mapToDouble(Math::log).average().orElse(Double.NaN);
    double products = 0;
    double squares = 0;
    for (Map.Entry<Integer, Double> cost : costs.entrySet()) {
      double x = Math.log(cost.getKey()) - meanX;
      products += x * (Math.log(cost.getValue()) - meanY);
      squares += x * x;
    }
    return squares == 0 ? Double.NaN : products / squares;
  }
}
