package dev.tidemark.iceberg;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.secrets.BareSecrets;
import dev.tidemark.secrets.Derived;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Makes catalogs of fields of a configuration. */
final class CatalogFields {
  private static final String DEFAULT_NAME = "lake";

  private CatalogFields() {}

  /**
   * A catalog whose secrets workers resolve.
   *
   * @throws IllegalArgumentException if a secret itself is in the properties; the message does not
   *     tell it
   */
  static ValueProvider<CatalogConfig> catalog(
      @Nullable String name,
      Map<String, String> catalogProperties,
      @Nullable Map<String, String> configProperties) {
    String given = name == null ? DEFAULT_NAME : name;
    ImmutableMap<String, String> properties = checked("catalog_properties", catalogProperties);
    ImmutableMap<String, String> hadoop = checked("config_properties", configProperties);
    ImmutableList<String> keys = properties.keySet().asList();
    ImmutableList<String> hadoopKeys = hadoop.keySet().asList();
    List<ValueProvider<String>> texts = new ArrayList<>();
    properties.values().forEach(value -> texts.add(StaticValueProvider.of(value)));
    hadoop.values().forEach(value -> texts.add(StaticValueProvider.of(value)));
    return Derived.of(
        "catalog",
        texts,
        values ->
            CatalogConfig.of(given, byKey(keys, values.subList(0, keys.size())))
                .withHadoopConfiguration(
                    byKey(hadoopKeys, values.subList(keys.size(), values.size()))));
  }

  private static ImmutableMap<String, String> byKey(List<String> keys, List<String> values) {
    ImmutableMap.Builder<String, String> all = ImmutableMap.builder();
    for (int i = 0; i < keys.size(); i++) {
      all.put(keys.get(i), values.get(i));
    }
    return all.buildOrThrow();
  }

  private static ImmutableMap<String, String> checked(
      String field, @Nullable Map<String, String> properties) {
    ImmutableMap<String, String> checked =
        properties == null ? ImmutableMap.of() : ImmutableMap.copyOf(properties);
    checked.forEach(
        (key, value) ->
            checkArgument(
                !BareSecrets.isOne(key, value) && !BareSecrets.isInAddress(value),
                "Invalid field %s: it holds the secret of %s itself, which would be in the job graph."
                    + " Use a reference, ${env:NAME} or ${file:/path}",
                field,
                key));
    return checked;
  }
}
