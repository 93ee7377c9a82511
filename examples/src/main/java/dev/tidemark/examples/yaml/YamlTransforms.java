package dev.tidemark.examples.yaml;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.Iterables;
import dev.tidemark.examples.yaml.YamlDocument.Step;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.schemas.transforms.SchemaTransformProvider;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionRowTuple;
import org.apache.beam.sdk.values.Row;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Applies the steps of a document, each after those whose outputs it takes. */
final class YamlTransforms {
  private final YamlDocument document;
  private final Providers providers;
  private final Map<String, Step> steps = new HashMap<>();
  private final Map<String, PCollectionRowTuple> applied = new HashMap<>();
  private final Set<String> underWay = new LinkedHashSet<>();

  private YamlTransforms(YamlDocument document, Providers providers) {
    this.document = document;
    this.providers = providers;
  }

  static YamlTransforms of(YamlDocument document, Providers providers) {
    YamlTransforms transforms = new YamlTransforms(document, providers);
    for (Step step : document.steps()) {
      checkArgument(
          transforms.steps.put(step.name(), step) == null,
          "Invalid pipeline: there are two transforms of name %s. Give each a name of its own",
          step.name());
    }
    return transforms;
  }

  void apply(Pipeline pipeline) {
    if (!document.chain()) {
      document.steps().forEach(step -> outputs(pipeline, step.name()));
      return;
    }
    Step before = null;
    for (Step step : document.steps()) {
      PCollectionRowTuple input =
          before == null
              ? PCollectionRowTuple.empty(pipeline)
              : PCollectionRowTuple.of("input", output(pipeline, before.name()));
      applied.put(step.name(), apply(pipeline, step, input));
      before = step;
    }
  }

  private PCollectionRowTuple outputs(Pipeline pipeline, String name) {
    PCollectionRowTuple outputs = applied.get(name);
    if (outputs == null) {
      Step step = steps.get(name);
      checkArgument(step != null, "Cannot find transform %s. There are %s", name, steps.keySet());
      checkArgument(
          underWay.add(name), "Invalid pipeline: transforms %s are in a circle", underWay);
      PCollectionRowTuple input = PCollectionRowTuple.empty(pipeline);
      for (Map.Entry<String, String> each : step.input().entrySet()) {
        input = input.and(each.getKey(), output(pipeline, each.getValue()));
      }
      underWay.remove(name);
      outputs = apply(pipeline, step, input);
      applied.put(name, outputs);
    }
    return outputs;
  }

  /** An output by its name, {@code Step} or {@code Step.output}. */
  private PCollection<Row> output(Pipeline pipeline, String name) {
    int dot = name.lastIndexOf('.');
    String step = dot < 0 ? name : name.substring(0, dot);
    PCollectionRowTuple outputs = outputs(pipeline, step);
    if (dot >= 0) {
      String output = name.substring(dot + 1);
      checkArgument(
          outputs.has(output),
          "Cannot find output %s of transform %s. It has %s",
          output,
          step,
          outputs.getAll().keySet());
      return outputs.get(output);
    }
    Set<String> good = new LinkedHashSet<>(outputs.getAll().keySet());
    String errors = errorOutput(steps.get(step));
    if (good.size() == 2 && errors != null) {
      good.remove(errors);
    }
    checkArgument(
        good.size() == 1,
        "Cannot tell which output of transform %s is meant. Name one of %s, as %s.<output>",
        step,
        outputs.getAll().keySet(),
        step);
    return outputs.get(Iterables.getOnlyElement(good));
  }

  private static @Nullable String errorOutput(Step step) {
    Object output =
        YamlDocument.map("error_handling", step.config().get("error_handling")).get("output");
    return output == null ? null : output.toString();
  }

  private PCollectionRowTuple apply(Pipeline pipeline, Step step, PCollectionRowTuple input) {
    if (StandardTransforms.OWN.contains(step.type())) {
      return StandardTransforms.apply(pipeline, step, input);
    }
    SchemaTransformProvider provider = providers.named(step.type());
    Row config =
        ConfigRows.row("transform " + step.name(), provider.configurationSchema(), step.config());
    try {
      return input.apply(step.name(), provider.from(config));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          String.format("Invalid transform %s: %s", step.name(), e.getMessage()), e);
    }
  }
}
