package dev.tidemark.examples.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.flink.TidemarkFlink;
import dev.tidemark.flink.TidemarkFlinkOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.runners.flink.FlinkRunner;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.StreamingOptions;

/** Runs a pipeline that is written in Beam YAML. */
public final class YamlPipeline {
  private static final String FILE = "--yaml_pipeline_file=";
  private static final String VARIABLES = "--jinja_variables=";

  private YamlPipeline() {}

  /**
   * Runs the pipeline of {@code --yaml_pipeline_file}, with {@code --jinja_variables}, a JSON
   * object, in the place of names in double braces. All other arguments are options of the
   * pipeline, and go before those in the file.
   */
  public static void main(String[] args) {
    of(args).run().waitUntilFinish();
  }

  /**
   * The pipeline, ready to run.
   *
   * @throws IllegalArgumentException if the file cannot be read, or has what is not understood; the
   *     message names the step
   */
  public static Pipeline of(String... args) {
    String file = null;
    Map<String, Object> variables = ImmutableMap.of();
    List<String> options = new ArrayList<>();
    for (String arg : args) {
      if (arg.startsWith(FILE)) {
        file = arg.substring(FILE.length());
      } else if (arg.startsWith(VARIABLES)) {
        variables = variables(arg.substring(VARIABLES.length()));
      } else {
        options.add(arg);
      }
    }
    if (file == null) {
      throw new IllegalArgumentException(
          "Missing argument: --yaml_pipeline_file. Give the file of the pipeline");
    }
    return of(YamlDocument.parse(read(file), variables), options);
  }

  private static Pipeline of(YamlDocument document, List<String> given) {
    List<String> args = new ArrayList<>();
    document
        .options()
        .forEach(
            (name, value) -> {
              if (given.stream().noneMatch(arg -> arg.startsWith("--" + name + "="))) {
                args.add("--" + name + "=" + value);
              }
            });
    args.addAll(given);
    PipelineOptions options = PipelineOptionsFactory.fromArgs(args.toArray(new String[0])).create();
    if (options.getRunner().equals(FlinkRunner.class)
        && options.as(StreamingOptions.class).isStreaming()) {
      TidemarkFlink.configure(options.as(TidemarkFlinkOptions.class));
    }
    Pipeline pipeline = Pipeline.create(options);
    YamlTransforms.of(document, Providers.of(document)).apply(pipeline);
    return pipeline;
  }

  private static Map<String, Object> variables(String json) {
    try {
      return new ObjectMapper().readValue(json, new TypeReference<Map<String, Object>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "Invalid argument --jinja_variables: it is no JSON object: " + e.getOriginalMessage(), e);
    }
  }

  static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          String.format("Cannot read the file %s: %s. Correct the path", file, e), e);
    }
  }
}
