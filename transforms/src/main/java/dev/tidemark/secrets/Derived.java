package dev.tidemark.secrets;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A value made of texts, and of the secrets that these refer to, when a worker asks for it. It is
 * accessible before only where the texts are, and where the process has the secrets. Never shows
 * anything but the name of what it is.
 *
 * @param <T> what is made; it does not travel, only the texts do
 */
public final class Derived<T> implements ValueProvider<T> {
  private final String name;
  private final ImmutableList<ValueProvider<String>> parts;
  private final SerializableFunction<List<String>, T> function;

  private transient volatile @Nullable T value;

  private Derived(
      String name,
      ImmutableList<ValueProvider<String>> parts,
      SerializableFunction<List<String>, T> function) {
    this.name = name;
    this.parts = parts;
    this.function = function;
  }

  /**
   * A value that a function makes of texts, with secrets in the place of references; a text that
   * was not given is empty.
   *
   * @param name what the value is, for those who look at the pipeline
   */
  public static <T> Derived<T> of(
      String name,
      List<ValueProvider<String>> parts,
      SerializableFunction<List<String>, T> function) {
    return ofReferences(
        name, parts, texts -> function.apply(texts.stream().map(Secrets::resolve).toList()));
  }

  /**
   * As {@link #of}, for a function that resolves the references itself: of a text with a syntax,
   * after it has been taken apart, since a secret may hold whatever it likes.
   */
  public static <T> Derived<T> ofReferences(
      String name,
      List<ValueProvider<String>> parts,
      SerializableFunction<List<String>, T> function) {
    return new Derived<>(name, ImmutableList.copyOf(parts), function);
  }

  @Override
  public T get() {
    T known = value;
    if (known == null) {
      known = function.apply(parts.stream().map(Derived::text).toList());
      value = known;
    }
    return known;
  }

  @Override
  public boolean isAccessible() {
    return parts.stream().allMatch(part -> part.isAccessible() && Secrets.canResolve(text(part)));
  }

  private static String text(ValueProvider<String> part) {
    String text = part.get();
    return text == null ? "" : text;
  }

  @Override
  public String toString() {
    return name;
  }
}
