package dev.tidemark.examples.reference;

import dev.tidemark.flink.TidemarkFlinkOptions;
import java.beans.Introspector;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.beam.sdk.options.Description;

/** The options that Tidemark adds to Flink's. */
final class FlinkOptionRows {
  private FlinkOptionRows() {}

  static String table() {
    StringBuilder table = new StringBuilder("| option | meaning |\n| --- | --- |\n");
    for (Method getter : getters()) {
      table
          .append("| `--")
          .append(name(getter))
          .append("` | ")
          .append(ReferencePage.cell(getter.getAnnotation(Description.class).value()))
          .append(" |\n");
    }
    return table.toString();
  }

  private static List<Method> getters() {
    return Arrays.stream(TidemarkFlinkOptions.class.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Description.class))
        .sorted(Comparator.comparing(FlinkOptionRows::name))
        .toList();
  }

  private static String name(Method getter) {
    return Introspector.decapitalize(getter.getName().substring("get".length()));
  }
}
