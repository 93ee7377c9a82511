package dev.tidemark.schematransform;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.DateTimeException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Hands the fields of a configuration to the setters of a transform. A field that is not given
 * leaves the transform's default; what a setter refuses is told with the name of the field.
 *
 * <pre>{@code
 * Configuring.of(MaterializeUpserts.create())
 *     .set("shards", config.getShards(), MaterializeUpserts::withShards)
 *     .setIf("insert_only", config.getInsertOnly(), MaterializeUpserts::withInsertOnly)
 *     .get();
 * }</pre>
 *
 * @param <T> the transform, or a value that one takes; its setters return another one
 */
public final class Configuring<T> {
  private final T configured;

  private Configuring(T configured) {
    this.configured = configured;
  }

  /** Begins with the defaults. */
  public static <T> Configuring<T> of(T defaults) {
    return new Configuring<>(defaults);
  }

  /**
   * Sets a value, unless it is null.
   *
   * @throws IllegalArgumentException if the setter refuses it, naming the field
   */
  public <V> Configuring<T> set(
      String field, @Nullable V given, BiFunction<? super T, V, ? extends T> setter) {
    return given == null
        ? this
        : new Configuring<>(named(field, () -> setter.apply(configured, given)));
  }

  /** Turns something on if the field is true. */
  public Configuring<T> setIf(String field, @Nullable Boolean given, UnaryOperator<T> setter) {
    return set(field, given, (defaults, value) -> value ? setter.apply(defaults) : defaults);
  }

  /** Turns something off if the field is false. */
  public Configuring<T> setUnless(String field, @Nullable Boolean given, UnaryOperator<T> setter) {
    return set(field, given, (defaults, value) -> value ? defaults : setter.apply(defaults));
  }

  /** The transform with all that was set. */
  public T get() {
    return configured;
  }

  /**
   * What a supplier gives.
   *
   * @throws IllegalArgumentException if it refuses, naming the field
   */
  public static <V> V named(String field, Supplier<? extends V> supplier) {
    try {
      return supplier.get();
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      throw new IllegalArgumentException(
          String.format("Invalid field %s: %s", field, e.getMessage()), e);
    }
  }

  /**
   * The constant of this name, in whatever case.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static <E extends Enum<E>> E constant(Class<E> type, String name) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(name.toUpperCase(Locale.ROOT))) {
        return constant;
      }
    }
    throw new IllegalArgumentException(
        String.format(
            "%s is not known (must be one of %s)", name, Arrays.toString(type.getEnumConstants())));
  }

  /**
   * Checks that two fields are given together.
   *
   * @throws IllegalArgumentException if only one is
   */
  public static void together(
      String field, @Nullable Object given, String other, @Nullable Object otherGiven) {
    checkArgument(
        (given == null) == (otherGiven == null),
        "Invalid fields: %s and %s go together. Set both or none",
        field,
        other);
  }
}
