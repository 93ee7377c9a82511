package dev.tidemark.arrow;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.sameInstance;
import static org.junit.Assert.assertThrows;

import com.google.common.io.BaseEncoding;
import dev.tidemark.arrow.testing.RandomColumns;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.change.LogPosition;
import dev.tidemark.change.LogPosition.Step;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.CoderProperties;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ChangeBatchTest {
  private static final Schema SCHEMA =
      Schema.builder().addInt64Field("id").addNullableStringField("name").build();
  private static final ChangeBatchCoder CODER = ChangeBatchCoder.of();

  private BufferAllocator allocator;

  @Before
  public void open() {
    allocator = ArrowAllocators.child("ChangeBatchTest");
  }

  @After
  public void allMemoryWasGivenBack() {
    allocator.close();
  }

  private static Row row(long id, String name) {
    return Row.withSchema(SCHEMA).addValues(id, name).build();
  }

  /** An insert with all details, an incomplete delete, and an update without position. */
  private ChangeBatch batch() {
    try (ChangeBatchBuilder builder = ChangeBatchBuilder.of(SCHEMA, allocator)) {
      builder.add(
          Change.of(ChangeKind.INSERT, row(1, "ab")).withPosition(LogPosition.of(16, Step.ADD, 3)),
          Instant.ofEpochMilli(5));
      builder.add(
          Change.of(ChangeKind.DELETE, row(2, null))
              .withPosition(LogPosition.of(-1, Step.REMOVE, 0))
              .withUnknownColumns(List.of("name")),
          Instant.ofEpochMilli(-1));
      builder.add(Change.of(ChangeKind.UPDATE_AFTER, row(3, null)), Instant.ofEpochMilli(6));
      return builder.build();
    }
  }

  private static ChangeBatch decode(String hex) throws CoderException {
    return CoderUtils.decodeFromByteArray(CODER, BaseEncoding.base16().lowerCase().decode(hex));
  }

  @Test
  public void changesComeBack() {
    ChangeBatch batch = batch();

    assertThat(batch.rows(), equalTo(3));
    assertThat(batch.kind(1), equalTo(ChangeKind.DELETE));
    assertThat(batch.timestampMillis(1), equalTo(-1L));
    assertThat(batch.position(0), equalTo(LogPosition.of(16, Step.ADD, 3)));
    assertThat(batch.position(2), nullValue());
    assertThat(batch.imageComplete(0), equalTo(true));
    assertThat(batch.imageComplete(1), equalTo(false));
    assertThat(batch.isKnown(1, 0), equalTo(true));
    assertThat(batch.isKnown(1, 1), equalTo(false));
    assertThat(batch.unknownColumns(1), equalTo(Set.of("name")));
    assertThat(batch.schema(), equalTo(ArrowSchemas.of(SCHEMA)));
    try (OpenChangeBatch open = batch.open(allocator)) {
      assertThat(
          RowRoundTripPropertyTest.read(SCHEMA, open.root()),
          equalTo(List.of(row(1, "ab"), row(2, null), row(3, null))));
    }
  }

  @Test
  public void goldenBytes() throws CoderException {
    String encoded =
        BaseEncoding.base16().lowerCase().encode(CoderUtils.encodeToByteArray(CODER, batch()));

    assertThat(encoded, equalTo(GOLDEN_HEAD + GOLDEN_STREAM));
  }

  @Test
  public void goldenBytesAreRead() throws CoderException {
    assertThat(decode(GOLDEN_HEAD + GOLDEN_STREAM), equalTo(batch()));
    assertThat(decode(GOLDEN_HEAD + GOLDEN_STREAM).schema(), equalTo(ArrowSchemas.of(SCHEMA)));
  }

  @Test
  public void coderKeepsBatches() throws Exception {
    CoderProperties.coderDecodeEncodeEqual(CODER, batch());
    CoderProperties.coderDeterministic(CODER, batch(), batch());
    CoderProperties.coderSerializable(CODER);
    ChangeBatch bare;
    try (ChangeBatchBuilder builder = ChangeBatchBuilder.of(SCHEMA, allocator)) {
      builder.add(ChangeKind.INSERT, row(1, "a"));
      bare = builder.build();
      CoderProperties.coderDecodeEncodeEqual(CODER, builder.build());
    }
    CoderProperties.coderDecodeEncodeEqual(CODER, bare);
    assertThat(bare.hasTimestamps(), equalTo(false));
    assertThat(bare, not(equalTo(batch())));
  }

  @Test
  public void truncatedBytesAreRefused() throws CoderException {
    byte[] bytes = CoderUtils.encodeToByteArray(CODER, batch());
    for (int length = 0; length < bytes.length; length += 3) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThrows(IOException.class, () -> CODER.decode(new ByteArrayInputStream(part)));
    }
  }

  @Test
  public void laterVersionIsRefused() {
    CoderException e = assertThrows(CoderException.class, () -> decode("0200"));

    assertThat(
        e.getMessage(),
        containsString("Cannot decode change batch: version 2 is not known (must be 1)"));
  }

  @Test
  public void damagedStreamIsRefusedAndGivesItsMemoryBack() throws CoderException {
    byte[] bytes = CoderUtils.encodeToByteArray(CODER, batch());
    int stream = bytes.length - batch().ipc().length;
    for (int length = stream; length < bytes.length - 8; length += 7) {
      ChangeBatch damaged =
          new ChangeBatch(
              batch().kinds(),
              Arrays.copyOfRange(bytes, stream, length),
              ChangeDetails.none(),
              null);

      assertThrows(RuntimeException.class, () -> damaged.open(allocator).close());
      assertThat(allocator.getAllocatedMemory(), equalTo(0L));
    }
  }

  @Test
  public void kindsHaveToBeAsManyAsRows() {
    ChangeBatch wrong = new ChangeBatch(new byte[2], batch().ipc(), ChangeDetails.none(), null);

    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> wrong.open(allocator));

    assertThat(e.getMessage(), containsString("its stream has 3 rows, and there are 2 kinds"));
    try (OpenChangeBatch open = batch().open(allocator)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> ChangeBatch.of(List.of(ChangeKind.INSERT), open.root()));
    }
  }

  @Test
  public void otherKindsShareTheStream() {
    ChangeBatch batch = batch();

    ChangeBatch deletes =
        batch.withKinds(List.of(ChangeKind.DELETE, ChangeKind.DELETE, ChangeKind.DELETE));

    assertThat(deletes.ipc(), sameInstance(batch.ipc()));
    assertThat(deletes.isAll(ChangeKind.DELETE), equalTo(true));
    assertThat(batch.isAll(ChangeKind.DELETE), equalTo(false));
    assertThat(deletes.imageComplete(1), equalTo(true));
    assertThat(deletes.timestampMillis(2), equalTo(6L));
  }

  @Test
  public void rejectedChangeIsNotAdded() {
    Schema schema =
        Schema.builder()
            .addStringField("name")
            .addLogicalTypeField(
                "price", org.apache.beam.sdk.schemas.logicaltypes.FixedPrecisionNumeric.of(4, 2))
            .build();
    try (ChangeBatchBuilder builder = ChangeBatchBuilder.of(schema, allocator)) {
      Row good = Row.withSchema(schema).attachValues("a", new java.math.BigDecimal("1.25"));
      builder.add(ChangeKind.INSERT, good);
      assertThrows(
          ValueRejectedException.class,
          () ->
              builder.add(
                  ChangeKind.INSERT,
                  Row.withSchema(schema).attachValues("b", new java.math.BigDecimal("1.255"))));
      builder.add(ChangeKind.UPDATE_AFTER, good);
      ChangeBatch batch = builder.build();

      assertThat(batch.rows(), equalTo(2));
      try (OpenChangeBatch open = batch.open(allocator)) {
        assertThat(
            RowRoundTripPropertyTest.read(schema, open.root()), equalTo(List.of(good, good)));
      }
    }
  }

  @Test
  public void timestampsOfSomeChangesAreRefused() {
    try (ChangeBatchBuilder builder = ChangeBatchBuilder.of(SCHEMA, allocator)) {
      builder.add(ChangeKind.INSERT, row(1, "a"));

      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> builder.add(Change.of(ChangeKind.INSERT, row(2, "b")), Instant.EPOCH));

      assertThat(e.getMessage(), containsString("Invalid timestamps"));
      assertThat(builder.rows(), equalTo(1));
      assertThat(builder.build().rows(), equalTo(1));
    }
  }

  @Test
  public void dictionaryIsRefused() {
    Field column =
        new Field(
            "c",
            new FieldType(
                true, new ArrowType.Int(32, true), new DictionaryEncoding(1, false, null)),
            List.of());
    try (VectorSchemaRoot root =
        VectorSchemaRoot.create(
            new org.apache.arrow.vector.types.pojo.Schema(List.of(column)), allocator)) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> ChangeBatch.of(List.of(), root));

      assertThat(e.getMessage(), containsString("column c is encoded by a dictionary"));
    }
  }

  @Test
  public void gatheredBatchHasDetailsOfItsRows() {
    ChangeBatchGather gather = new ChangeBatchGather();
    ChangeBatch gathered;
    try (OpenChangeBatch first = batch().open(allocator);
        OpenChangeBatch second = batch().open(allocator)) {
      gather.add(second, 1);
      gather.add(first, 0);
      gather.add(second, 2, ChangeKind.DELETE, 99L);
      gathered = gather.build(allocator);
    }

    assertThat(gathered.unknownColumns(0), equalTo(Set.of("name")));
    assertThat(gathered.imageComplete(1), equalTo(true));
    assertThat(gathered.position(1), equalTo(LogPosition.of(16, Step.ADD, 3)));
    assertThat(gathered.kind(2), equalTo(ChangeKind.DELETE));
    assertThat(gathered.timestampMillis(2), equalTo(99L));
    try (OpenChangeBatch open = gathered.open(allocator)) {
      assertThat(
          RowRoundTripPropertyTest.read(SCHEMA, open.root()),
          equalTo(List.of(row(2, null), row(1, "ab"), row(3, null))));
    }
  }

  @Test
  public void wholeBatchIsNotCopied() {
    ChangeBatch batch = batch();
    ChangeBatchGather gather = new ChangeBatchGather();
    try (OpenChangeBatch open = batch.open(allocator)) {
      for (int i = 0; i < 3; i++) {
        gather.add(open, i);
      }

      assertThat(gather.build(allocator).ipc(), sameInstance(batch.ipc()));
    }
  }

  @Test
  public void givesMemoryBackWhereverItEnds() {
    Schema schema = RandomColumns.allTypes();
    RandomColumns columns = new RandomColumns(new Random(5));
    List<Row> rows = RowRoundTripPropertyTest.rows(columns, schema, 30);
    int failures = 0;
    boolean fits = false;
    for (long limit = 1 << 10; !fits; limit += limit >> 3) {
      try (BufferAllocator limited = ArrowAllocators.child("limited", limit)) {
        try (ChangeBatchBuilder builder = ChangeBatchBuilder.of(schema, limited)) {
          rows.forEach(row -> builder.add(ChangeKind.INSERT, row));
          ChangeBatch batch = builder.build();
          ChangeBatchGather gather = new ChangeBatchGather();
          try (OpenChangeBatch open = batch.open(limited)) {
            gather.add(open, 7);
            gather.add(open, 3);
            gather.build(limited);
          }
          fits = true;
        } catch (OutOfMemoryException e) {
          failures++;
        }
        assertThat(limited.getAllocatedMemory(), equalTo(0L));
      }
    }
    assertThat(failures, greaterThan(10));
  }

  /**
   * Version, all details, three rows; kinds; timestamps; two positions and none; untold columns,
   * one byte for each row; length of the stream.
   */
  private static final String GOLDEN_HEAD =
      "0107030003020000000000000005ffffffffffffffff000000000000000603000000000000001003"
          + "02ffffffffffffffff000001000200f803";

  /** Schema, record batch with five buffers, end of stream. */
  private static final String GOLDEN_STREAM =
      "ffffffffd80000001000000000000a000e0006000d0008000a000000000004001000000000010a00"
          + "0c000000080004000a00000008000000080000000000000002000000600000001800000000001200"
          + "18001400130012000c00000008000400120000001400000014000000180000000000050114000000"
          + "00000000000000000400040004000000040000006e616d650000120018001400000013000c000000"
          + "080004001200000014000000140000001c0000000000000220000000000000000000000008000c00"
          + "080007000800000000000001400000000200000069640000ffffffffc80000001400000000000000"
          + "0c0016000e001500100004000c0000004000000000000000000004001000000000030a0018000c00"
          + "080004000a0000001400000068000000030000000000000000000000050000000000000000000000"
          + "01000000000000000800000000000000180000000000000020000000000000000100000000000000"
          + "28000000000000001000000000000000380000000000000002000000000000000000000002000000"
          + "03000000000000000000000000000000030000000000000002000000000000000700000000000000"
          + "01000000000000000200000000000000030000000000000001000000000000000000000002000000"
          + "02000000020000006162000000000000ffffffff00000000";
}
