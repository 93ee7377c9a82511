package dev.tidemark.examples.benchmarks.load;

/**
 * The rows that every peer writes: each value is a function of the row's number.
 *
 * <p>One object is filled again for every row. Event times are spread over four hours at random, so
 * that a table partitioned by hour has four files open and the partition changes with most rows.
 */
public final class LoadRow {
  private static final int CUSTOMERS = 10_000;
  private static final int DEVICES = 1 << 17;
  private static final long FIRST_EVENT_MICROS = 1_735_689_600_000_000L; // 2025-01-01T00:00:00Z
  private static final long SPAN_MICROS = 4 * 3_600_000_000L;
  private static final long MAX_AMOUNT_UNSCALED = 10_000_000_000L;
  public static final int AMOUNT_PRECISION = 18;
  public static final int AMOUNT_SCALE = 4;

  private static final String[] CUSTOMER_NAMES = names("customer-%011d", CUSTOMERS);
  private static final String[] DEVICE_NAMES = names("device-%013d", DEVICES);

  private long id;
  private int quantity;
  private String customer;
  private String device;
  private double price;
  private long eventMicros;
  private long amountUnscaled;
  private boolean express;

  /** Takes the values of a row. */
  public void fill(long number) {
    long a = mix(number);
    long b = mix(a);
    id = number;
    quantity = (int) (a & 0x3ff);
    customer = CUSTOMER_NAMES[(int) ((a >>> 10 & 0x7fff_ffff) % CUSTOMERS)];
    device = DEVICE_NAMES[(int) (b & (DEVICES - 1))];
    price = (b >>> 11) * 0x1.0p-53 * 1_000;
    eventMicros = FIRST_EVENT_MICROS + (b >>> 1) % SPAN_MICROS;
    amountUnscaled = (a >>> 1) % MAX_AMOUNT_UNSCALED;
    express = a < 0;
  }

  public long id() {
    return id;
  }

  public int quantity() {
    return quantity;
  }

  /** One of 10,000 strings of 20 characters. */
  public String customer() {
    return customer;
  }

  /** One of 131,072 strings of 20 characters. */
  public String device() {
    return device;
  }

  public double price() {
    return price;
  }

  public long eventMicros() {
    return eventMicros;
  }

  /** The amount in units of its last decimal, see {@link #AMOUNT_SCALE}. */
  public long amountUnscaled() {
    return amountUnscaled;
  }

  public boolean express() {
    return express;
  }

  private static String[] names(String format, int count) {
    String[] names = new String[count];
    for (int i = 0; i < count; i++) {
      names[i] = String.format(format, i);
    }
    return names;
  }

  /** SplitMix64: neighbouring numbers give unrelated values. */
  private static long mix(long number) {
    long z = (number + 1) * 0x9e37_79b9_7f4a_7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
    return z ^ (z >>> 31);
  }
}
