package dev.tidemark.thirdparty;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.Iterables;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.CommitContext;
import dev.tidemark.datafile.ForklessFileSystem;
import dev.tidemark.iceberg.CommitAccumulator;
import dev.tidemark.iceberg.IcebergWriteResult;
import dev.tidemark.iceberg.SerializableCommitHook;
import dev.tidemark.iceberg.TableCreation;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import dev.tidemark.iceberg.WriteRows;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What others can add to a write, with nothing but its public API. */
@RunWith(JUnit4.class)
public class ExtensionPointsTest {
  private static final TableIdentifier NOTES = TableIdentifier.of("db", "notes");
  private static final Schema NOTE =
      Schema.builder().addInt64Field("id").addStringField("text").build();
  private static final List<String> SEEN = new CopyOnWriteArrayList<>();

  @Rule public final transient TemporaryFolder folder = new TemporaryFolder();

  /** On one thread, since the direct runner repeats commits where it moves keys between threads. */
  @Rule
  public final transient TestPipeline pipeline =
      TestPipeline.fromOptions(PipelineOptionsFactory.fromArgs("--targetParallelism=1").create());

  private CatalogConfig catalog;

  @Before
  public void open() throws IOException {
    SEEN.clear();
    catalog =
        CatalogConfig.of(
                "lake",
                Map.of("type", "hadoop", "warehouse", folder.newFolder().toURI().toString()))
            .withHadoopConfiguration(Map.of("fs.file.impl", ForklessFileSystem.class.getName()));
  }

  @Test
  public void accumulatorOfOnesOwnIsStoredWithTheCommit() {
    pipeline
        .apply(Create.of(note(1, "a"), note(2, "abcd"), note(3, "abc")).withRowSchema(NOTE))
        .apply(write().withAccumulator(longest()));
    pipeline.run();

    assertThat(head().summary().get("tidemark.acc.longest.chars"), is("4"));
  }

  @Test
  public void accumulatorWithoutACoderIsRefusedWithTheRemedy() {
    pipeline.enableAbandonedNodeEnforcement(false);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                pipeline
                    .apply(Create.of(note(1, "a")).withRowSchema(NOTE))
                    .apply(
                        write()
                            .withAccumulator(
                                CommitAccumulator.of(
                                    "uncoded", schema -> new UncodedFn(), out -> Map.of()))));

    assertThat(e.getMessage(), containsString("Override getAccumulatorCoder"));
  }

  @Test
  public void hookAddsASummaryEntryOfItsOwn() {
    pipeline
        .apply(Create.of(note(1, "a"), note(2, "b")).withRowSchema(NOTE))
        .apply(
            write()
                .withAccumulator(longest())
                .withCommitHook(
                    context ->
                        context.putSummary(
                            "acme.longest", context.accumulators().get("longest.chars"))));
    pipeline.run();

    assertThat(head().summary().get("acme.longest"), is("1"));
  }

  @Test
  public void hookThatThrowsHoldsTheCommitBackUntilItDoesNot() {
    IcebergWriteResult written =
        pipeline
            .apply(TestStream.create(NOTE).addElements(note(1, "a")).advanceWatermarkToInfinity())
            .apply(write().withCommitHook(new ThrowsOnce()));
    PAssert.that(
            written
                .commits()
                .apply(MapElements.into(TypeDescriptors.longs()).via(commit -> commit.rows())))
        .containsInAnyOrder(1L);
    PAssert.that(written.failed()).empty();
    pipeline.run();

    assertThat(SEEN, contains("thrown", "passed"));
    assertThat(Iterables.size(table().snapshots()), is(1));
    assertThat(head().summary().get("added-records"), is("1"));
  }

  @Test
  public void hookSeesTheCommitThatWasMade() {
    pipeline
        .apply(Create.of(note(1, "a"), note(2, "abc")).withRowSchema(NOTE))
        .apply(write().withAccumulator(longest()).withCommitHook(new Witness()));
    pipeline.run();

    Snapshot head = head();
    assertThat(
        SEEN,
        contains(
            "snapshot " + head.snapshotId(),
            "live " + head.snapshotId(),
            "commit notes-writer/" + head.summary().get("tidemark.committed"),
            "accumulators {longest.chars=3}",
            "rows 2"));
  }

  @Test
  public void hookThatThrowsAfterTheCommitIsCountedAndTheCommitStays() {
    pipeline
        .apply(Create.of(note(1, "a")).withRowSchema(NOTE))
        .apply(write().withCommitHook(new ThrowsAfter()));
    PipelineResult result = pipeline.run();

    assertThat(head().summary().get("added-records"), is("1"));
    assertThat(
        Iterables.getOnlyElement(
                result
                    .metrics()
                    .queryMetrics(
                        MetricsFilter.builder()
                            .addNameFilter(
                                MetricNameFilter.named(TidemarkIcebergIO.class, "hookFailures"))
                            .build())
                    .getCounters())
            .getAttempted(),
        equalTo(1L));
  }

  private WriteRows write() {
    return TidemarkIcebergIO.writeRows()
        .withCatalog(catalog)
        .to(NOTES)
        .withWriterId("notes-writer")
        .withTableCreation(TableCreation.unpartitioned());
  }

  private Table table() {
    return catalog.loadTable(NOTES);
  }

  private Snapshot head() {
    return table().currentSnapshot();
  }

  private static Row note(long id, String text) {
    return Row.withSchema(NOTE).addValues(id, text).build();
  }

  private static CommitAccumulator<Integer, Integer> longest() {
    return CommitAccumulator.of(
        "longest",
        schema -> new LongestFn(schema.indexOf("text")),
        chars -> Map.of("chars", Integer.toString(chars)));
  }

  /** The length of the longest text. */
  private static final class LongestFn extends CombineFn<Row, Integer, Integer> {
    private final int column;

    LongestFn(int column) {
      this.column = column;
    }

    @Override
    public Integer createAccumulator() {
      return 0;
    }

    @Override
    public Integer addInput(Integer longest, Row row) {
      return Math.max(longest, row.getString(column).length());
    }

    @Override
    public Integer mergeAccumulators(Iterable<Integer> accumulators) {
      int longest = 0;
      for (int each : accumulators) {
        longest = Math.max(longest, each);
      }
      return longest;
    }

    @Override
    public Integer extractOutput(Integer longest) {
      return longest;
    }

    @Override
    public Coder<Integer> getAccumulatorCoder(CoderRegistry registry, Coder<Row> inputCoder) {
      return VarIntCoder.of();
    }
  }

  /** A class that no coder is known for. */
  private static final class Uncoded {}

  private static final class UncodedFn extends CombineFn<Row, Uncoded, Uncoded> {
    @Override
    public Uncoded createAccumulator() {
      return new Uncoded();
    }

    @Override
    public Uncoded addInput(Uncoded accumulator, Row row) {
      return accumulator;
    }

    @Override
    public Uncoded mergeAccumulators(Iterable<Uncoded> accumulators) {
      return new Uncoded();
    }

    @Override
    public Uncoded extractOutput(Uncoded accumulator) {
      return accumulator;
    }
  }

  private static final class ThrowsOnce implements SerializableCommitHook {
    @Override
    public void beforeCommit(CommitContext context) throws IOException {
      if (SEEN.isEmpty()) {
        SEEN.add("thrown");
        throw new IOException("the audit service does not answer");
      }
      SEEN.add("passed");
    }
  }

  private static final class ThrowsAfter implements SerializableCommitHook {
    @Override
    public void beforeCommit(CommitContext context) {}

    @Override
    public void afterCommit(CommitContext context) throws IOException {
      throw new IOException("the audit service does not answer");
    }
  }

  private static final class Witness implements SerializableCommitHook {
    @Override
    public void beforeCommit(CommitContext context) {}

    @Override
    public void afterCommit(CommitContext context) {
      SEEN.add("snapshot " + context.snapshotId());
      context.table().refresh();
      SEEN.add("live " + context.table().currentSnapshot().snapshotId());
      SEEN.add("commit " + context.commitId());
      SEEN.add("accumulators " + context.accumulators());
      SEEN.add("rows " + context.results().stream().mapToLong(each -> each.rows()).sum());
    }
  }
}
