package dev.tidemark.isolation;

import dev.tidemark.eventtime.CollectEventTimeFn;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.eventtime.EventTimeStats;
import dev.tidemark.once.Batch;
import dev.tidemark.once.Effect;
import dev.tidemark.once.Outcome;
import dev.tidemark.once.PerformOnce;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * A program of this module and the direct runner alone: collects the event time of three rows and
 * performs an effect with the result. Its arguments name classes that must not be there.
 */
final class TransformsAlone {
  private static final Schema SCHEMA =
      Schema.builder().addInt64Field("id").addDateTimeField("at").build();

  public static void main(String[] args) {
    AbsentClasses.check(args);
    Instant start = Instant.now().minus(Duration.standardHours(1));
    List<Row> rows =
        List.of(
            row(1, start),
            row(2, start.plus(Duration.millis(1))),
            row(3, start.plus(Duration.millis(2))));

    Pipeline pipeline = Pipeline.create(PipelineOptionsFactory.create());
    pipeline
        .apply(Create.of(rows).withRowSchema(SCHEMA))
        .apply(
            Combine.globally(CollectEventTimeFn.of(EventTimeExtractor.column("at"), SCHEMA))
                .withoutDefaults())
        .apply(ParDo.of(new CountsFn()))
        .setCoder(KvCoder.of(StringUtf8Coder.of(), VarLongCoder.of()))
        .apply(PerformOnce.of(new PrintEffect()).withReportCoder(StringUtf8Coder.of()));
    pipeline.run().waitUntilFinish();
  }

  private static Row row(long id, Instant at) {
    return Row.withSchema(SCHEMA).addValues(id, at).build();
  }

  private static final class CountsFn extends DoFn<EventTimeStats, KV<String, Long>> {
    @ProcessElement
    public void process(@Element EventTimeStats stats, OutputReceiver<KV<String, Long>> out) {
      out.output(KV.of("rows", stats.sketch().count()));
    }
  }

  private static final class PrintEffect implements Effect<String, Long, String> {
    @Override
    public Outcome<String> perform(String key, Batch<Long> batch) {
      batch.elements().forEach(counted -> System.out.println(key + "=" + counted.element()));
      return Outcome.done(List.of());
    }
  }

  private TransformsAlone() {}
}
