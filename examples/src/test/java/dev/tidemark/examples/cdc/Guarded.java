package dev.tidemark.examples.cdc;

import dev.tidemark.examples.cdc.Parameters.Spec;
import java.lang.reflect.Method;
import org.apache.beam.sdk.options.ValueProvider;

/** A value that the thread which launches a pipeline must not read. */
final class Guarded<T> implements ValueProvider<T> {
  private static volatile Thread launcher;

  private final String name;
  private final T value;

  private Guarded(String name, T value) {
    this.name = name;
    this.value = value;
  }

  /** Guards all values that are told when a pipeline runs against this thread. */
  static void guard(CdcOptions options) throws ReflectiveOperationException {
    launcher = Thread.currentThread();
    for (Spec spec : Parameters.all().values()) {
      if (spec.runtime()) {
        ValueProvider<?> given = (ValueProvider<?>) spec.getter().invoke(options);
        if (Given.isGiven(given)) {
          Method setter =
              spec.group()
                  .getMethod(
                      "set" + spec.getter().getName().substring("get".length()),
                      ValueProvider.class);
          setter.invoke(options, new Guarded<>(spec.name(), given.get()));
        }
      }
    }
  }

  @Override
  public T get() {
    if (Thread.currentThread() == launcher) {
      throw new AssertionError("--" + name + " is read before the workers start");
    }
    return value;
  }

  @Override
  public boolean isAccessible() {
    return Thread.currentThread() != launcher;
  }

  @Override
  public String toString() {
    return "guarded";
  }
}
