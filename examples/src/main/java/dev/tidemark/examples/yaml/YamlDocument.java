package dev.tidemark.examples.yaml;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * A document of Beam YAML: its steps, the providers it lists, options.
 *
 * @param chain whether each step is the input of the next
 */
record YamlDocument(
    boolean chain,
    ImmutableList<Step> steps,
    ImmutableList<Map<String, Object>> providers,
    ImmutableMap<String, Object> options) {
  private static final Pattern VARIABLE = Pattern.compile("\\{\\{\\s*(\\w+)\\s*\\}\\}");
  private static final ImmutableSet<String> DOCUMENT =
      ImmutableSet.of("pipeline", "providers", "options");
  private static final ImmutableSet<String> PIPELINE =
      ImmutableSet.of("type", "source", "transforms", "sink");
  private static final ImmutableSet<String> STEP =
      ImmutableSet.of("type", "name", "input", "config");

  /**
   * A step.
   *
   * @param name by which others refer to it, its type if it has none
   * @param input names of outputs by the names of inputs
   */
  record Step(
      String type, String name, ImmutableMap<String, String> input, Map<String, Object> config) {}

  /**
   * Reads a document.
   *
   * @param variables texts in the place of names in double braces
   * @throws IllegalArgumentException if it is no YAML, or has what is not understood
   */
  static YamlDocument parse(String text, Map<String, Object> variables) {
    Map<String, Object> document = map("the document", load(withVariables(text, variables)));
    checkKeys("the document", document.keySet(), DOCUMENT);
    Map<String, Object> pipeline = map("pipeline", document.get("pipeline"));
    checkKeys("pipeline", pipeline.keySet(), PIPELINE);
    String type = String.valueOf(pipeline.getOrDefault("type", "composite"));
    checkArgument(
        type.equals("chain") || type.equals("composite"),
        "Invalid pipeline: type %s is not understood (must be chain or composite)",
        type);
    boolean chain = type.equals("chain");
    ImmutableList.Builder<Step> steps = ImmutableList.builder();
    if (pipeline.containsKey("source")) {
      steps.add(step(pipeline.get("source"), chain));
    }
    for (Object step : list("transforms", pipeline.get("transforms"))) {
      steps.add(step(step, chain));
    }
    if (pipeline.containsKey("sink")) {
      steps.add(step(pipeline.get("sink"), chain));
    }
    return new YamlDocument(
        chain,
        steps.build(),
        providers(document.get("providers")),
        ImmutableMap.copyOf(map("options", document.get("options"))));
  }

  private static String withVariables(String text, Map<String, Object> variables) {
    Matcher matcher = VARIABLE.matcher(text);
    StringBuilder with = new StringBuilder();
    while (matcher.find()) {
      Object value = variables.get(matcher.group(1));
      checkArgument(
          value != null, "Missing variable: %s. Give it in --jinja_variables", matcher.group(1));
      matcher.appendReplacement(with, Matcher.quoteReplacement(value.toString()));
    }
    return matcher.appendTail(with).toString();
  }

  /** The listings that a document includes are read too. */
  private static ImmutableList<Map<String, Object>> providers(@Nullable Object listed) {
    ImmutableList.Builder<Map<String, Object>> providers = ImmutableList.builder();
    for (Object provider : list("providers", listed)) {
      Map<String, Object> entry = map("a provider", provider);
      if (entry.containsKey("include")) {
        checkKeys("a provider", entry.keySet(), Set.of("include"));
        providers.addAll(providers(load(YamlPipeline.read(entry.get("include").toString()))));
      } else {
        providers.add(entry);
      }
    }
    return providers.build();
  }

  private static Step step(Object yaml, boolean chain) {
    Map<String, Object> step = map("a transform", yaml);
    String type = String.valueOf(step.get("type"));
    String name = String.valueOf(step.getOrDefault("name", type));
    checkKeys("transform " + name, step.keySet(), STEP);
    checkArgument(step.containsKey("type"), "Invalid transform %s: it has no type", step);
    checkArgument(
        !chain || !step.containsKey("input"),
        "Invalid transform %s: within a chain it has the input of the one before. Remove input",
        name);
    return new Step(
        type,
        name,
        input(name, step.get("input")),
        map("config of transform " + name, step.get("config")));
  }

  private static ImmutableMap<String, String> input(String name, @Nullable Object input) {
    if (input == null) {
      return ImmutableMap.of();
    }
    ImmutableMap.Builder<String, String> inputs = ImmutableMap.builder();
    if (input instanceof String only) {
      inputs.put("input", only);
    } else if (input instanceof List<?> several) {
      several.forEach(each -> inputs.put("input" + several.indexOf(each), each.toString()));
    } else {
      map("input of transform " + name, input)
          .forEach((tag, each) -> inputs.put(tag, each.toString()));
    }
    return inputs.buildOrThrow();
  }

  private static @Nullable Object load(String text) {
    try {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    } catch (YAMLException e) {
      throw new IllegalArgumentException("Cannot read the pipeline: " + e.getMessage(), e);
    }
  }

  private static void checkKeys(String what, Set<String> keys, Set<String> known) {
    for (String key : keys) {
      checkArgument(
          known.contains(key),
          "Cannot understand %s: it has '%s'; understood are %s",
          what,
          key,
          known);
    }
  }

  @SuppressWarnings("unchecked") // keys of the mappings that are understood are texts
  static Map<String, Object> map(String what, @Nullable Object yaml) {
    if (yaml == null) {
      return ImmutableMap.of();
    }
    checkArgument(
        yaml instanceof Map<?, ?> map && map.keySet().stream().allMatch(String.class::isInstance),
        "Cannot understand %s: it must be a mapping",
        what);
    return (Map<String, Object>) yaml;
  }

  private static List<?> list(String what, @Nullable Object yaml) {
    checkArgument(
        yaml == null || yaml instanceof List, "Cannot understand %s: it must be a list", what);
    return yaml == null ? ImmutableList.of() : (List<?>) yaml;
  }
}
