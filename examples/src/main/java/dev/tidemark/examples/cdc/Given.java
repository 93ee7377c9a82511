package dev.tidemark.examples.cdc;

import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.options.ValueProvider.RuntimeValueProvider;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;

/**
 * Which options were given. Options of a job on Flink are all known when it is launched, so one
 * that was not given has its default, and that is known too; Beam would have a worker look it up.
 */
final class Given {
  private Given() {}

  /** Whether there is a value that is not empty, be it that only a worker can read it. */
  static boolean isGiven(ValueProvider<?> option) {
    if (option instanceof RuntimeValueProvider) {
      return false;
    }
    if (!option.isAccessible()) {
      return true;
    }
    Object value = option.get();
    return value != null && !value.equals("");
  }

  /** The option, or its default, which may be null. */
  @SuppressWarnings("unchecked") // the default has the option's type, as Beam has checked
  static <T> ValueProvider<T> orDefault(ValueProvider<T> option) {
    return option instanceof RuntimeValueProvider<T> missing
        ? StaticValueProvider.of((T) Parameters.named(missing.propertyName()).defaultValue())
        : option;
  }
}
