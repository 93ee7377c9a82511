package dev.tidemark.doris.emulator;

import static dev.tidemark.doris.emulator.ArrowTestBodies.concat;
import static dev.tidemark.doris.emulator.ArrowTestBodies.field;
import static dev.tidemark.doris.emulator.ArrowTestBodies.int64;
import static dev.tidemark.doris.emulator.ArrowTestBodies.int8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import dev.tidemark.doris.emulator.WireTestClient.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.Test;

/** Streams within a body, and columns within a stream. */
public class ArrowFramingTest extends EmulatorTestBase {

  @Test
  public void streamsFollowEachOther() throws Exception {
    start();
    Answer answer = arrow("id,name", concat(named(1, 2), named(3)));
    assertThat(answer.json().get("NumberLoadedRows").asLong(), is(3L));
    assertThat(rows(), contains("[1, n1, 7]", "[2, n2, 7]", "[3, n3, 7]"));
  }

  @Test
  public void emptyStreamIsTakenAtTheEndOnly() throws Exception {
    start();
    assertThat(arrow("id,name", concat(named(1), named())).text("Status"), is("Success"));
    assertThat(
        arrow("id,name", concat(named(), named(2))).text("Message"),
        containsString("Send no empty streams"));
    assertThat(rows(), contains("[1, n1, 7]"));
    assertThat(doris().violations(), hasSize(1));
  }

  @Test
  public void emptyBodyLoadsNothing() throws Exception {
    start();
    Answer answer = arrow("id,name", new byte[0]);
    assertThat(answer.text("Status"), is("Success"));
    assertThat(answer.json().get("NumberTotalRows").asLong(), is(0L));
  }

  @Test
  public void onlyTheLastStreamMayMissItsEnd() throws Exception {
    start();
    byte[] open = Arrays.copyOf(named(1), named(1).length - 8);
    assertThat(arrow("id,name", open).text("Status"), is("Success"));
    assertThat(arrow("id,name", concat(open, named(2))).text("Status"), is("Fail"));
    assertThat(rows(), contains("[1, n1, 7]"));
  }

  @Test
  public void bytesBetweenStreamsAreRefused() throws Exception {
    start();
    assertThat(
        arrow("id,name", concat(named(1), new byte[4], named(2))).text("Message"),
        containsString("does not start with the continuation marker"));
    assertThat(rows(), is(empty()));
  }

  @Test
  public void cutStreamFails() throws Exception {
    start();
    byte[] cut = Arrays.copyOf(named(1), named(1).length - 30);
    assertThat(arrow("id,name", cut).text("Message"), containsString("Read Arrow stream failed"));
    byte[] noArrow = "<html>".getBytes(StandardCharsets.UTF_8);
    assertThat(arrow("id,name", noArrow).text("Status"), is("Fail"));
    assertThat(rows(), is(empty()));
  }

  @Test
  public void dictionariesAreRefused() throws Exception {
    start();
    try (BufferAllocator allocator = new RootAllocator();
        VarCharVector values = new VarCharVector("values", allocator);
        VarCharVector names = new VarCharVector("name", allocator);
        BigIntVector ids = new BigIntVector("id", allocator)) {
      values.setSafe(0, new byte[] {'a'});
      values.setValueCount(1);
      names.setSafe(0, new byte[] {'a'});
      names.setValueCount(1);
      ids.setSafe(0, 1);
      ids.setValueCount(1);
      Dictionary dictionary = new Dictionary(values, new DictionaryEncoding(1, false, null));
      try (FieldVector encoded = (FieldVector) DictionaryEncoder.encode(names, dictionary)) {
        byte[] body =
            ArrowTestBodies.write(
                new VectorSchemaRoot(List.of(ids, encoded)),
                new DictionaryProvider.MapDictionaryProvider(dictionary));
        assertThat(arrow("id,name", body).text("Message"), containsString("has dictionaries"));
      }
    }
  }

  @Test
  public void packedBodyIsRefused() throws Exception {
    start();
    Answer answer =
        WireTestClient.load(
            backend(),
            WireTestClient.loadHead(
                "db", "t", "format: arrow", "columns: id,name", "Content-Encoding: gzip"),
            named(1));
    assertThat(answer.text("Message"), containsString("content encoding"));
  }

  @Test
  public void columnsAreTakenByPlaceAndNamedTheSame() throws Exception {
    start();
    assertThat(
        arrow("name,id", named(1)).text("Message"),
        containsString("Column name mismatch: expected name, got id"));
    assertThat(arrow("`id`, `name`", named(1)).text("Status"), is("Success"));
    assertThat(arrow("ID,NAME", named(2)).text("Status"), is("Success"));
    assertThat(
        arrow("id,name,n", named(3)).text("Message"),
        containsString("has 2 columns and the load has 3"));
  }

  @Test
  public void columnsOfAnotherCaseMismatch() throws Exception {
    start();
    Schema upper =
        new Schema(List.of(field("ID", int64()), field("name", ArrowType.Utf8.INSTANCE)));
    assertThat(
        arrow("ID,name", ArrowTestBodies.stream(upper, 1, (i, v) -> {})).text("Message"),
        containsString("Column name mismatch: expected id, got ID"));
  }

  @Test
  public void olderBackendsTakeColumnsByName() throws Exception {
    start(DorisEmulator.builder().columnMatching(ColumnMatching.LEGACY));
    assertThat(arrow("name,id", named(1)).text("Status"), is("Success"));
    assertThat(rows(), contains("[1, n1, 7]"));
    Schema other =
        new Schema(List.of(field("id", int64()), field("nama", ArrowType.Utf8.INSTANCE)));
    assertThat(
        arrow("id,name", ArrowTestBodies.stream(other, 0, (i, v) -> {})).text("Message"),
        containsString("has no column name"));
  }

  @Test
  public void olderBackendsMissColumnsInUpperCase() throws Exception {
    start(DorisEmulator.builder().columnMatching(ColumnMatching.LEGACY));
    doris().createTable("CREATE TABLE db.upper (Id BIGINT, name STRING) UNIQUE KEY(Id)");
    Schema schema =
        new Schema(List.of(field("Id", int64()), field("name", ArrowType.Utf8.INSTANCE)));
    byte[] body = ArrowTestBodies.stream(schema, 1, (i, v) -> {});
    String head = WireTestClient.loadHead("db", "upper", "format: arrow");
    assertThat(
        WireTestClient.load(backend(), head, body).text("Message"),
        containsString("Unknown column id in table upper for FORMAT_ARROW load"));
    assertThat(
        WireTestClient.load(backend(), head + "columns: Id,name\r\n", body).text("Status"),
        is("Success"));
  }

  @Test
  public void unknownAndMissingColumns() throws Exception {
    start();
    assertThat(
        arrow("id,nama", named(1)).text("Message"),
        containsString("Unknown column nama in table t for FORMAT_ARROW load"));
    doris().createTable("CREATE TABLE db.strict (id BIGINT, v INT NOT NULL) UNIQUE KEY(id)");
    Answer answer =
        WireTestClient.load(
            backend(),
            WireTestClient.loadHead("db", "strict", "format: arrow", "columns: id"),
            new byte[0]);
    assertThat(answer.text("Message"), containsString("Column has no default value. column: v"));
  }

  @Test
  public void deleteSignsAreSmallIntegersThatAreNeverNull() throws Exception {
    start();
    arrow("id,name", named(1, 2));
    assertThat(
        arrow("id,__DORIS_DELETE_SIGN__", signed(int8(), (byte) 1)).text("Status"), is("Success"));
    assertThat(rows(), contains("[2, n2, 7]"));
    assertThat(
        arrow("id,__DORIS_DELETE_SIGN__", signed(int8(), null)).text("Message"),
        containsString("Send 0 or 1 with each row"));
    assertThat(
        arrow("id,__DORIS_DELETE_SIGN__", signed(new ArrowType.Int(32, true), null))
            .text("Message"),
        containsString("Send Int8"));
  }

  @Test
  public void discardedRowsAreCountedAndTheirColumnsChecked() throws Exception {
    start(DorisEmulator.builder().discardRows(true));
    Answer answer = arrow("id,name", concat(named(1, 2), named(3)));
    assertThat(answer.json().get("NumberLoadedRows").asLong(), is(3L));
    assertThat(arrow("id,n", named(1)).text("Message"), containsString("Column name mismatch"));
    assertThat(rows(), is(empty()));
  }

  @Test
  public void hiddenColumnsCountOnlyWithoutColumns() throws Exception {
    start();
    byte[] body = signed(int8(), (byte) 1);
    String head =
        WireTestClient.loadHead(
            "db", "t", "format: arrow", "columns: id", "hidden_columns: __DORIS_DELETE_SIGN__");
    assertThat(
        WireTestClient.load(backend(), head, body).text("Message"),
        containsString("has 2 columns and the load has 1"));
  }

  private static byte[] named(long... ids) throws IOException {
    return ArrowTestBodies.idsAndNames(ids);
  }

  private static byte[] signed(ArrowType type, @Nullable Byte sign) throws IOException {
    Field signField = field(TableDefinition.DELETE_SIGN, type);
    return ArrowTestBodies.stream(
        new Schema(List.of(field("id", int64()), signField)),
        1,
        (column, vector) -> {
          if (column == 0) {
            ((BigIntVector) vector).setSafe(0, 1);
          } else if (sign != null) {
            ((TinyIntVector) vector).setSafe(0, sign);
          }
        });
  }

  private Answer arrow(String columns, byte[] body) throws IOException {
    return WireTestClient.load(
        backend(),
        WireTestClient.loadHead("db", "t", "format: arrow", "columns: " + columns),
        body);
  }
}
