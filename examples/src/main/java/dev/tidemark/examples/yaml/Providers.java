package dev.tidemark.examples.yaml;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.beam.sdk.schemas.transforms.SchemaTransformProvider;

/** The transforms that a document may name, by their types. */
final class Providers {
  private final ImmutableMap<String, SchemaTransformProvider> byType;

  private Providers(ImmutableMap<String, SchemaTransformProvider> byType) {
    this.byType = byType;
  }

  /**
   * Those that a document lists, and the standard ones.
   *
   * @throws IllegalArgumentException if a provider is of another kind than {@code javaJar}, or the
   *     class path has nothing of its URN
   */
  static Providers of(YamlDocument document) {
    Map<String, SchemaTransformProvider> byUrn = new HashMap<>();
    ServiceLoader.load(SchemaTransformProvider.class)
        .forEach(provider -> byUrn.put(provider.identifier(), provider));
    Map<String, SchemaTransformProvider> byType = new HashMap<>();
    StandardTransforms.URNS.forEach((type, urn) -> byType.put(type, find(byUrn, type, urn)));
    for (Map<String, Object> provider : document.providers()) {
      checkArgument(
          "javaJar".equals(provider.get("type")),
          "Cannot understand a provider of type %s (must be javaJar)",
          provider.get("type"));
      checkArgument(
          YamlDocument.map("config of a provider", provider.get("config")).containsKey("jar"),
          "Invalid provider: its config names no jar");
      YamlDocument.map("transforms of a provider", provider.get("transforms"))
          .forEach((type, urn) -> byType.put(type, find(byUrn, type, urn.toString())));
    }
    return new Providers(ImmutableMap.copyOf(byType));
  }

  private static SchemaTransformProvider find(
      Map<String, SchemaTransformProvider> byUrn, String type, String urn) {
    SchemaTransformProvider provider = byUrn.get(urn);
    checkArgument(
        provider != null,
        "Cannot find transform %s: nothing on the class path has the URN %s. Put its jar there",
        type,
        urn);
    return provider;
  }

  /**
   * The provider of a type.
   *
   * @throws IllegalArgumentException if there is none
   */
  SchemaTransformProvider named(String type) {
    SchemaTransformProvider provider = byType.get(type);
    checkArgument(
        provider != null,
        "Cannot find transform %s. Known are %s, %s, and those that providers list",
        type,
        StandardTransforms.OWN,
        ImmutableSortedSet.copyOf(byType.keySet()));
    return provider;
  }
}
