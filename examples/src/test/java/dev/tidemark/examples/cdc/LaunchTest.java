package dev.tidemark.examples.cdc;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.examples.cdc.Parameters.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.util.construction.PipelineTranslation;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * What happens where a pipeline is launched. {@link CdcKafkaTest} and {@link CdcFilesTest} run it.
 */
public class LaunchTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static final List<String> OPTIONAL =
      List.of(
          "--catalogUri=http://127.0.0.1:1/",
          "--lateWebhook=http://127.0.0.1:1/",
          "--lateDataFolder=/no/such/folder",
          "--kafkaStart=latest",
          "--watermarkDelaySeconds=1",
          "--kafkaProperties={}",
          "--catalogProperties={}",
          "--kafkaServers=127.0.0.1:1",
          "--deadLetters=KAFKA",
          "--deadLetterTopic=letters",
          "--deadLetterFolder=",
          "--dorisTrustStore=/no/such/store",
          "--dorisTrustStorePassword=${env:NO_SUCH_PASSWORD}",
          "--launchCheck=false",
          "--checkpointingInterval=1000",
          "--maxParallelism=16");

  private RunnerApi.Pipeline graph(ShopRun shop, String... source) throws Exception {
    List<String> arguments = new ArrayList<>(OPTIONAL);
    arguments.addAll(List.of(source));
    CdcOptions options = CdcPipeline.options(shop.arguments(arguments.toArray(new String[0])));
    Guarded.guard(options);
    Pipeline pipeline = Pipeline.create(options);
    CdcPipeline.build(pipeline, options);
    return PipelineTranslation.toProto(pipeline);
  }

  @Test
  public void nothingThatWorkersReadIsReadForTheGraph() throws Exception {
    try (ShopRun shop = ShopRun.in(folder.getRoot().toPath())) {
      for (RunnerApi.Pipeline graph :
          List.of(graph(shop), graph(shop, "--source=KAFKA", "--inputFiles="))) {
        Set<String> steps =
            Set.copyOf(
                graph.getComponents().getTransformsMap().values().stream()
                    .map(RunnerApi.PTransform::getUniqueName)
                    .toList());
        assertThat(
            steps,
            hasItems(
                "Events",
                "Parse",
                "Log_orders",
                "Upserts_orders",
                "Serve_orders",
                "WriteDeadLetters"));
      }
    }
  }

  @Test
  public void guardFailsWhoReadsOnTheLaunchingThread() throws Exception {
    try (ShopRun shop = ShopRun.in(folder.getRoot().toPath())) {
      CdcOptions options = CdcPipeline.options(shop.arguments("--checkpointingInterval=1000"));
      Guarded.guard(options);
      assertThrows(AssertionError.class, () -> options.getDorisUser().get());
      int guarded = 0;
      for (Spec spec : Parameters.all().values()) {
        if (spec.runtime() && spec.getter().invoke(options) instanceof Guarded) {
          guarded++;
        }
      }
      assertThat(guarded, greaterThan(8));
      assertThat(CdcTableWrites.catalog(options).isAccessible(), is(false));
    }
  }
}
