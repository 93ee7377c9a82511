package dev.tidemark.examples.cdc;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.beans.Introspector;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.options.ValueProvider;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The options of {@link CdcPipeline} that are its own, as their annotations tell them. */
final class Parameters {
  /** The interfaces in the order in which they are shown. */
  static final ImmutableList<Class<?>> GROUPS =
      ImmutableList.of(
          CdcOptions.class,
          KafkaOptions.class,
          FileOptions.class,
          DeadLetterOptions.class,
          IcebergOptions.class,
          FinalizationOptions.class,
          UpsertOptions.class,
          DorisOptions.class);

  private static final ImmutableMap<String, Spec> ALL =
      Maps.uniqueIndex(
          GROUPS.stream().flatMap(group -> specs(group).stream()).toList(), Spec::name);

  private Parameters() {}

  /**
   * An option.
   *
   * @param type of its value, which workers read where {@code runtime} is true
   */
  record Spec(
      String name,
      Class<?> group,
      Method getter,
      Class<?> type,
      boolean runtime,
      String description,
      Parameter parameter) {

    boolean isRequired() {
      return getter.isAnnotationPresent(Validation.Required.class);
    }

    /** The value of an option that is not given; null if it has none. */
    @Nullable Object defaultValue() {
      for (Annotation annotation : getter.getAnnotations()) {
        if (annotation instanceof Default.String text) {
          return text.value();
        }
        if (annotation instanceof Default.Integer number) {
          return number.value();
        }
        if (annotation instanceof Default.Long number) {
          return number.value();
        }
        if (annotation instanceof Default.Boolean flag) {
          return flag.value();
        }
        if (annotation instanceof Default.Enum constant) {
          return Arrays.stream(type.getEnumConstants())
              .filter(value -> ((Enum<?>) value).name().equals(constant.value()))
              .findFirst()
              .orElseThrow();
        }
      }
      return null;
    }

    boolean isNumber() {
      return type == Integer.class || type == int.class || type == long.class;
    }

    boolean isBoolean() {
      return type == boolean.class;
    }
  }

  /** All options, by name, in the order of their groups. */
  static ImmutableMap<String, Spec> all() {
    return ALL;
  }

  static Spec named(String name) {
    Spec spec = ALL.get(name);
    if (spec == null) {
      throw new IllegalArgumentException("Cannot find option --" + name);
    }
    return spec;
  }

  private static List<Spec> specs(Class<?> group) {
    return Arrays.stream(group.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Parameter.class))
        .map(method -> spec(group, method))
        .sorted(Comparator.comparing((Spec spec) -> !spec.isRequired()).thenComparing(Spec::name))
        .toList();
  }

  private static Spec spec(Class<?> group, Method getter) {
    boolean runtime = getter.getReturnType() == ValueProvider.class;
    Class<?> type =
        runtime
            ? (Class<?>)
                ((ParameterizedType) getter.getGenericReturnType()).getActualTypeArguments()[0]
            : getter.getReturnType();
    return new Spec(
        Introspector.decapitalize(getter.getName().substring("get".length())),
        group,
        getter,
        type,
        runtime,
        getter.getAnnotation(Description.class).value(),
        getter.getAnnotation(Parameter.class));
  }
}
