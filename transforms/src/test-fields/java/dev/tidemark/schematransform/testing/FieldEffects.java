package dev.tidemark.schematransform.testing;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.beam.sdk.schemas.NoSuchSchemaException;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.SchemaRegistry;
import org.apache.beam.sdk.schemas.transforms.SchemaTransformProvider;
import org.apache.beam.sdk.schemas.utils.YamlUtils;
import org.apache.beam.sdk.values.Row;
import org.yaml.snakeyaml.Yaml;

/**
 * Shows of each field of a configuration that it sets what the Java setter sets, and nothing else.
 *
 * @param <C> the class of the configuration
 * @param <T> what is configured; has equals
 */
public final class FieldEffects<C, T> {
  private final SchemaTransformProvider provider;
  private final Class<C> config;
  private final Function<C, T> configured;
  private final String required;
  private final T plain;
  private final Set<String> shown = new HashSet<>();
  private final Set<String> elsewhere = new HashSet<>();

  /**
   * Begins with the required fields.
   *
   * @param required fields in YAML
   * @param plain what they give
   */
  public FieldEffects(
      SchemaTransformProvider provider,
      Class<C> config,
      Function<C, T> configured,
      String required,
      T plain) {
    this.provider = provider;
    this.config = config;
    this.configured = configured;
    this.required = required;
    this.plain = plain;
    assertThat(required, apply(""), is(plain));
  }

  /** A field, or fields that go together, in YAML, and what the Java setter gives. */
  public FieldEffects<C, T> field(String yaml, Function<T, T> setter) {
    T expected = setter.apply(plain);
    assertThat(yaml, expected, is(not(plain)));
    assertThat(yaml, apply(yaml), is(expected));
    return seen(yaml);
  }

  /** Fields that other tests show; of a row, all that it has. */
  public FieldEffects<C, T> elsewhere(String... fields) {
    elsewhere.addAll(Set.of(fields));
    return this;
  }

  /** A field, or fields, in YAML, that are refused with this message. */
  public FieldEffects<C, T> refused(String yaml, String message) {
    String told = assertThrows(IllegalArgumentException.class, () -> apply(yaml)).getMessage();
    assertThat(told, is(message));
    return this;
  }

  /** There is no field beside those that were shown, in rows within the configuration either. */
  public void areAll() {
    Set<String> missing = new TreeSet<>();
    addFields("", provider.configurationSchema(), missing);
    missing.removeAll(shown);
    missing.removeIf(
        field -> elsewhere.contains(field) || elsewhere.contains(field.replaceFirst("\\..*", "")));
    assertThat("fields that are not shown", missing, is(empty()));
  }

  private static void addFields(String path, Schema schema, Set<String> fields) {
    for (Schema.Field field : schema.getFields()) {
      Schema inner = field.getType().getRowSchema();
      if (inner == null) {
        fields.add(path + field.getName());
      } else {
        addFields(path + field.getName() + ".", inner, fields);
      }
    }
  }

  private FieldEffects<C, T> seen(String yaml) {
    see("", row(provider, required + "\n" + yaml));
    return this;
  }

  private void see(String path, Row row) {
    for (Schema.Field field : row.getSchema().getFields()) {
      Object value = row.getValue(field.getName());
      if (value instanceof Row inner) {
        see(path + field.getName() + ".", inner);
      } else if (value != null) {
        shown.add(path + field.getName());
      }
    }
  }

  private T apply(String yaml) {
    return configured.apply(config(provider, config, required + "\n" + yaml));
  }

  /** A configuration, written in YAML, as the provider gets it. */
  public static Row row(SchemaTransformProvider provider, String yaml) {
    Map<String, Object> fields = new Yaml().load(yaml);
    return YamlUtils.toBeamRow(fields, provider.configurationSchema(), false);
  }

  /** A configuration, written in YAML, as the transform gets it. */
  public static <C> C config(SchemaTransformProvider provider, Class<C> type, String yaml) {
    try {
      return SchemaRegistry.createDefault()
          .getFromRowFunction(type)
          .apply(row(provider, yaml).toCamelCase());
    } catch (NoSuchSchemaException e) {
      throw new AssertionError(e);
    }
  }
}
