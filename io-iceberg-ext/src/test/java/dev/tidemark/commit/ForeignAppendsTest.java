package dev.tidemark.commit;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Lower bounds of every kind of event-time column against a watermark. */
@RunWith(JUnit4.class)
public final class ForeignAppendsTest {
  private static final long WATERMARK = 86_400_000L * 19_000;

  @Rule public final CommitFixture fixture = new CommitFixture(CatalogKind.HADOOP);

  private int tables;

  /** What is found after a foreign append whose column has this lower bound. */
  private ImmutableList<ForeignAppend> found(Type type, Object bound, TimeUnit unit) {
    Table table =
        fixture
            .catalog()
            .buildTable(
                TableIdentifier.of("db", "t" + tables++),
                new Schema(Types.NestedField.optional(1, "at", type)))
            .withProperty("format-version", type.typeId() == Type.TypeID.TIMESTAMP_NANO ? "3" : "2")
            .create();
    Map<Integer, ByteBuffer> lower = Map.of(1, Conversions.toByteBuffer(type, bound));
    DataFile file =
        DataFiles.builder(PartitionSpec.unpartitioned())
            .withPath(table.location() + "/data/f.parquet")
            .withFileSizeInBytes(1)
            .withMetrics(new Metrics(2L, null, null, null, null, lower, null))
            .build();
    table.newAppend().appendFile(file).commit();
    return below(table, unit);
  }

  private static ImmutableList<ForeignAppend> below(Table table, TimeUnit unit) {
    return ForeignAppends.below(
        ((org.apache.iceberg.HasTableOperations) table).operations().current(),
        table.io(),
        "main",
        null,
        EventTimeColumn.of("at", unit),
        WATERMARK);
  }

  private void assertBoundary(
      Type type, Object at, Object before, long beforeMillis, TimeUnit unit) {
    assertThat(found(type, at, unit), is(empty()));
    ForeignAppend append = found(type, before, unit).get(0);
    assertThat(append.earliestMillis(), is(beforeMillis));
    assertThat(append.maxRecords(), is(2L));
    assertThat(append.suspected(), is(false));
  }

  @Test
  public void everyTimeTypeIsReadToTheMillisecond() {
    long w = WATERMARK;
    assertBoundary(
        Types.TimestampType.withoutZone(), w * 1_000, w * 1_000 - 1, w - 1, TimeUnit.DAYS);
    assertBoundary(
        Types.TimestampNanoType.withZone(), w * 1_000_000, w * 1_000_000 - 1, w - 1, TimeUnit.DAYS);
    assertBoundary(Types.DateType.get(), 19_000, 18_999, w - 86_400_000, TimeUnit.DAYS);
    assertBoundary(Types.LongType.get(), w, w - 1, w - 1, TimeUnit.MILLISECONDS);
    assertBoundary(Types.LongType.get(), w * 1_000, w * 1_000 - 1, w - 1, TimeUnit.MICROSECONDS);
    assertBoundary(
        Types.IntegerType.get(),
        (int) (w / 1_000),
        (int) (w / 1_000) - 1,
        w - 1_000,
        TimeUnit.SECONDS);
  }

  @Test
  public void columnThatIsNoTimeIsSuspected() {
    assertThat(
        found(Types.StringType.get(), "2022-01-01", TimeUnit.MILLISECONDS).get(0).suspected(),
        is(true));
  }

  @Test
  public void ownCommitsAndRewritesAreNotForeign() {
    WriterResult one = fixture.result(1, 5);
    fixture.commit(one);
    DataFile compacted = fixture.file(1);
    fixture.table().newRewrite().deleteFile(one.files().get(0)).addFile(compacted).commit();

    assertThat(below(fixture.table(), TimeUnit.MILLISECONDS), is(empty()));
  }

  @Test
  public void overwriteThatAddsRowsIsForeign() {
    DataFile old = fixture.file(1);
    fixture.table().newAppend().appendFile(old).commit();
    long append = fixture.head().snapshotId();
    fixture.table().newOverwrite().deleteFile(old).addFile(fixture.file(1)).commit();

    assertThat(
        below(fixture.table(), TimeUnit.MILLISECONDS).stream()
            .map(ForeignAppend::snapshotId)
            .toList(),
        contains(fixture.head().snapshotId(), append));
  }
}
