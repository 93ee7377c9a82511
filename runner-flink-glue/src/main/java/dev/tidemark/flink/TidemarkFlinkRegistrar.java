package dev.tidemark.flink;

import com.google.auto.service.AutoService;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsRegistrar;

/** Makes {@link TidemarkFlinkOptions} known to option parsing and {@code --help}. */
@AutoService(PipelineOptionsRegistrar.class)
public final class TidemarkFlinkRegistrar implements PipelineOptionsRegistrar {
  @Override
  public Iterable<Class<? extends PipelineOptions>> getPipelineOptions() {
    return List.of(TidemarkFlinkOptions.class);
  }
}
