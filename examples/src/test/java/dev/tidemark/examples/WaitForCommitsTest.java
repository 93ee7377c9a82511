package dev.tidemark.examples;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import com.google.common.collect.Iterables;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.iceberg.IcebergWriteResult;
import dev.tidemark.iceberg.TableCreation;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Wait;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** A step of a batch pipeline that waits for a write, as the documentation has it. */
@RunWith(JUnit4.class)
public class WaitForCommitsTest {
  private static final Schema SCHEMA = Schema.builder().addInt64Field("id").build();
  private static final int ROWS = 500;

  @Rule public final transient TestPipeline pipeline = TestPipeline.create();
  @Rule public final transient TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void readerThatWaitsSeesAllRows() throws Exception {
    CatalogConfig catalog =
        CatalogConfig.of(
            "lake", Map.of("type", "hadoop", "warehouse", folder.newFolder().toString()));
    List<Row> rows = new ArrayList<>();
    for (long id = 0; id < ROWS; id++) {
      rows.add(Row.withSchema(SCHEMA).addValue(id).build());
    }
    IcebergWriteResult written =
        pipeline
            .apply("Rows", Create.of(rows).withRowSchema(SCHEMA))
            .apply(
                "Write",
                TidemarkIcebergIO.writeRows()
                    .withCatalog(catalog)
                    .to(TableIdentifier.of("shop", "orders"))
                    .withWriterId("batch")
                    .withTableCreation(TableCreation.unpartitioned()));
    PCollection<Integer> seen =
        pipeline
            .apply("Tables", Create.of("shop.orders"))
            .apply("AfterTheCommit", Wait.on(written.commits()))
            .apply("Count", ParDo.of(new CountFn(catalog)));

    PAssert.thatSingleton(seen).isEqualTo(ROWS);
    assertThat(pipeline.run().waitUntilFinish().isTerminal(), is(true));
  }

  /** Counts the rows of a table, which fails if it is not there yet. */
  private static final class CountFn extends DoFn<String, Integer> {
    private static final long serialVersionUID = 1L;

    private final CatalogConfig catalog;

    CountFn(CatalogConfig catalog) {
      this.catalog = catalog;
    }

    @ProcessElement
    public void process(@Element String name, OutputReceiver<Integer> out) throws IOException {
      Table table = catalog.loadTable(TableIdentifier.parse(name));
      try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
        out.output(Iterables.size(records));
      }
    }
  }
}
