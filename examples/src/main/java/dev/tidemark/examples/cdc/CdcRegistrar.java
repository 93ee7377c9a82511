package dev.tidemark.examples.cdc;

import com.google.auto.service.AutoService;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsRegistrar;

/** Makes {@link CdcOptions} known to option parsing and {@code --help=CdcOptions}. */
@AutoService(PipelineOptionsRegistrar.class)
public final class CdcRegistrar implements PipelineOptionsRegistrar {
  @Override
  public Iterable<Class<? extends PipelineOptions>> getPipelineOptions() {
    return List.of(CdcOptions.class);
  }
}
