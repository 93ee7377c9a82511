package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDER;
import static dev.tidemark.iceberg.Warehouse.ORDERS;
import static dev.tidemark.iceberg.Warehouse.PLACED;
import static dev.tidemark.iceberg.Warehouse.order;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.runners.TransformHierarchy;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Duration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What is in a pipeline, and what is not since nobody asked for it. */
@RunWith(JUnit4.class)
public class WriteGraphTest {
  @Rule public final Warehouse warehouse = new Warehouse();

  private final Pipeline pipeline = Pipeline.create();

  @Test
  public void plainWriteHasNoStageForWatermarksAndAccumulatesNothing() {
    List<TransformHierarchy.Node> nodes = batch(write -> write);

    assertThat(stages(nodes), not(hasItem("AdvanceWatermark")));
    assertThat(stages(nodes), hasItem("Report"));
    assertThat(sources(nodes), hasSize(1));
    Map<String, String> writer = DisplayItems.of(function(nodes, "WriteDataFiles"));
    assertThat(writer, hasEntry("collectsEventTime", "false"));
    assertThat(writer, hasEntry("accumulates", "false"));
  }

  @Test
  public void eventTimeAloneAddsNoStage() {
    List<TransformHierarchy.Node> nodes = batch(write -> write.withEventTime(PLACED));

    assertThat(stages(nodes), not(hasItem("AdvanceWatermark")));
    Map<String, String> writer = DisplayItems.of(function(nodes, "WriteDataFiles"));
    assertThat(writer, hasEntry("collectsEventTime", "true"));
    assertThat(writer, hasEntry("accumulates", "false"));
  }

  @Test
  public void accumulatorAddsNoStage() {
    List<TransformHierarchy.Node> nodes =
        batch(write -> write.withAccumulator(CommitAccumulator.distinctCount("regions", "region")));

    assertThat(stages(nodes), not(hasItem("AdvanceWatermark")));
    assertThat(DisplayItems.of(function(nodes, "WriteDataFiles")), hasEntry("accumulates", "true"));
  }

  @Test
  public void finalizationIsOneStageBehindTheCommit() {
    List<TransformHierarchy.Node> nodes =
        batch(
            write -> write.withEventTime(PLACED).withFinalization(FinalizationOptions.defaults()));

    assertThat(stages(nodes), hasItem("AdvanceWatermark"));
    assertThat(stages(nodes), not(hasItem("Report")));
    assertThat(sources(nodes), hasSize(1));
  }

  @Test
  public void rowsAreShuffledOnlyWhereTheyAreGrouped() {
    assertThat(stages(batch(write -> write)), not(hasItem("Group")));
    assertThat(stages(batch(write -> write.withRowGrouping(1000))), hasItem("Group"));
  }

  @Test
  public void batchIsCommittedBehindOneShuffleOfResults() {
    List<String> stages = stages(batch(write -> write));

    assertThat(stages, hasItem("GroupByTable"));
    assertThat(stages, not(hasItem("Perform")));
  }

  @Test
  public void streamIsCommittedAsOftenAndAsWideAsItIsToldTo() {
    List<TransformHierarchy.Node> nodes =
        nodes(
            pipeline.apply(
                TestStream.create(RowCoder.of(ORDER))
                    .addElements(order(1, null, "eu"))
                    .advanceWatermarkToInfinity()),
            write ->
                write.withCommitConcurrency(7).withHeartbeatInterval(Duration.standardSeconds(3)));

    assertThat(stages(nodes), not(hasItem("GroupByTable")));
    PTransform<?, ?> commit =
        nodes.stream()
            .filter(node -> node.getFullName().endsWith("/Commit"))
            .findFirst()
            .orElseThrow()
            .getTransform();
    assertThat(DisplayItems.of(commit), hasEntry("concurrency", "7"));
    assertThat(DisplayItems.of(commit), hasEntry("heartbeatInterval", "3000"));
  }

  @Test
  public void outputsOfAStreamAreUnbounded() {
    IcebergWriteResult written =
        pipeline
            .apply(
                TestStream.create(RowCoder.of(ORDER))
                    .addElements(order(1, null, "eu"))
                    .advanceWatermarkToInfinity())
            .apply(warehouse.write().to(ORDERS));

    assertThat(written.commits().isBounded(), is(PCollection.IsBounded.UNBOUNDED));
    assertThat(written.late().isBounded(), is(PCollection.IsBounded.UNBOUNDED));
    assertThat(written.advances().isBounded(), is(PCollection.IsBounded.UNBOUNDED));
    assertThat(written.failed().isBounded(), is(PCollection.IsBounded.UNBOUNDED));
  }

  private List<TransformHierarchy.Node> batch(UnaryOperator<WriteRows> options) {
    Pipeline each = Pipeline.create();
    return nodes(each.apply(Create.of(order(1, null, "eu")).withRowSchema(ORDER)), options);
  }

  private List<TransformHierarchy.Node> nodes(
      PCollection<Row> rows, UnaryOperator<WriteRows> options) {
    rows.apply(options.apply(warehouse.write().to(ORDERS)));
    List<TransformHierarchy.Node> nodes = new ArrayList<>();
    rows.getPipeline()
        .traverseTopologically(
            new Pipeline.PipelineVisitor.Defaults() {
              @Override
              public CompositeBehavior enterCompositeTransform(TransformHierarchy.Node node) {
                nodes.add(node);
                return CompositeBehavior.ENTER_TRANSFORM;
              }

              @Override
              public void visitPrimitiveTransform(TransformHierarchy.Node node) {
                nodes.add(node);
              }
            });
    return nodes;
  }

  /** The parts of all names. */
  private static List<String> stages(List<TransformHierarchy.Node> nodes) {
    return nodes.stream()
        .flatMap(node -> List.of(node.getFullName().split("/", -1)).stream())
        .distinct()
        .toList();
  }

  private static List<TransformHierarchy.Node> sources(List<TransformHierarchy.Node> nodes) {
    return nodes.stream()
        .filter(node -> !node.isCompositeNode() && node.getInputs().isEmpty())
        .toList();
  }

  private static DoFn<?, ?> function(List<TransformHierarchy.Node> nodes, String stage) {
    for (TransformHierarchy.Node node : nodes) {
      if (node.getFullName().endsWith("/" + stage)
          && node.getTransform() instanceof ParDo.MultiOutput<?, ?> parDo) {
        return parDo.getFn();
      }
    }
    throw new AssertionError("No stage " + stage);
  }
}
