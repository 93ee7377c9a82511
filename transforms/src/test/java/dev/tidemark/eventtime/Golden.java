package dev.tidemark.eventtime;

/** Bytes of version 1 that have to stay readable. */
final class Golden {
  static final String DISTINCT_COUNT =
      "012002030300001acc93020000000000803f15f97dcbbd86a105c397fc1281709d1e";
  static final String QUANTILES =
      "013805010f00c80008000200000000000000c8000100c6000000000000000000f03f"
          + "00000000000000400000000000000040000000000000f03f";

  private Golden() {}
}
