package dev.tidemark.examples.cdc;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import dev.tidemark.flink.testing.EmbeddedFlink;
import java.nio.file.Files;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The pipeline over files on an embedded Flink cluster and on the direct runner. */
public class CdcFilesTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void flinkMakesTablesEqualToTheSource() throws Exception {
    try (EmbeddedFlink flink = EmbeddedFlink.start();
        ShopRun shop = ShopRun.in(folder.getRoot().toPath())) {
      CdcOptions options =
          CdcPipeline.options(
              shop.arguments(
                  "--checkpointingInterval=500", "--parallelism=2", "--upsertShards=64"));
      ShopRun.onto(flink.options(2, 500), options);
      Guarded.guard(options);
      Pipeline pipeline = Pipeline.create(options);
      CdcPipeline.build(pipeline, options);
      JobResult result = flink.await(flink.submit(pipeline), 120);
      assertThat(result.isSuccess(), is(true));
      shop.assertRight();
    }
  }

  @Test
  public void directRunnerMakesTablesEqualAndKeepsWhatItCannotParse() throws Exception {
    try (ShopRun shop = ShopRun.in(folder.getRoot().toPath())) {
      String garbage =
          "{\"topic\": \"pg.shop.orders\", \"key\": {}, \"value\": {\"no\": \"event\"}}\n{broken\n";
      Files.writeString(shop.files().events().resolveSibling("garbage.jsonl"), garbage);
      CdcOptions options =
          CdcPipeline.options(
              shop.arguments(
                  "--inputFiles=" + shop.files().events().getParent() + "/*.jsonl*",
                  "--runner=DirectRunner",
                  "--icebergRowGrouping=500",
                  "--upsertShards=8"));
      Guarded.guard(options);
      Pipeline pipeline = Pipeline.create(options);
      CdcPipeline.build(pipeline, options);
      assertThat(pipeline.run().waitUntilFinish(), is(State.DONE));
      assertThat(
          shop.differences(),
          containsInAnyOrder(
              containsString("{\\\"no\\\":\\\"event\\\"}"),
              containsString("\"topic\":\"garbage.jsonl\",\"key\":null,\"value\":\"{broken\"")));
    }
  }
}
