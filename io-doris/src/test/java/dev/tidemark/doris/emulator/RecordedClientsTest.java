package dev.tidemark.doris.emulator;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.doris.emulator.WireTestClient.Answer;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.After;
import org.junit.Test;

/**
 * Sends what released connectors were recorded to send, byte for byte, to where they sent it. The
 * answers are those they got, apart from addresses, times and counts of rows; the tables have what
 * the connectors wanted to write.
 */
public class RecordedClientsTest {

  private static final String TABLE =
      "CREATE TABLE testdb.tbl (id BIGINT NOT NULL, name VARCHAR(65533)) UNIQUE KEY(id)";
  private static final String SPARK_TABLE =
      "CREATE TABLE testdb.tbl2 (id BIGINT NOT NULL, name VARCHAR(100), d DECIMAL(10, 2), dt DATE,"
          + " ts DATETIME(6)) UNIQUE KEY(id)";
  private static final String TYPES_TABLE =
      "CREATE TABLE testdb.tbl (id BIGINT NOT NULL, c_bool BOOLEAN, c_tiny TINYINT, c_small"
          + " SMALLINT, c_int INT, c_big BIGINT, c_float FLOAT, c_double DOUBLE, c_dec9 DECIMAL(9,"
          + " 2), c_dec38 DECIMAL(38, 10), c_date DATE, c_ts0 DATETIME, c_ts3 DATETIME(3), c_ts6"
          + " DATETIME(6), c_ltz3 DATETIME(3), c_char CHAR(4), c_varchar VARCHAR(10), c_str STRING,"
          + " c_arr ARRAY<INT>, c_row STRUCT<a:INT,b:STRING>) UNIQUE KEY(id)";

  private @Nullable DorisEmulator emulator;

  @After
  public void close() {
    if (emulator != null) {
      emulator.close();
    }
  }

  @Test
  public void flinkArrowWithTwoPhaseCommit() throws Exception {
    start(1006, TABLE);
    replay("flink_arrow_2pc");
    assertThat(rows(), is(threeRows()));
    assertThat(states(), contains("ABORTED", "VISIBLE"));
  }

  @Test
  public void flinkArrowAtBackendsThatTheFrontendLists() throws Exception {
    start(1008, TABLE);
    replay("flink_arrow_2pc_be_direct");
    assertThat(rows(), is(threeRows()));
    assertThat(states(), contains("ABORTED", "VISIBLE"));
  }

  @Test
  public void flinkArrowAtGivenBackends() throws Exception {
    start(1010, TABLE);
    replay("flink_arrow_benodes");
    assertThat(rows(), is(threeRows()));
  }

  @Test
  public void flinkArrowWithoutTwoPhaseCommit() throws Exception {
    start(1012, TABLE);
    replay("flink_arrow_no2pc");
    assertThat(rows(), is(threeRows()));
    assertThat(states(), contains("VISIBLE"));
  }

  @Test
  public void flinkArrowAsItIsByDefault() throws Exception {
    start(1003, TABLE);
    replay("flink_arrow_default_unique_no2pc");
    assertThat(rows(), is(threeRows()));
    assertThat(states(), contains("VISIBLE"));
  }

  @Test
  public void flinkArrowOfThreeStreams() throws Exception {
    start(1021, TABLE);
    replay("flink_arrow_2500rows");
    assertThat(rows(), is(numberedRows()));
  }

  @Test
  public void flinkArrowWritesDeletesAsUpserts() throws Exception {
    start(1019, TABLE);
    replay("flink_arrow_changelog_nodelete");
    assertThat(rows(), contains(row(1, "a2"), row(2, "b")));
  }

  @Test
  public void flinkArrowInBatchMode() throws Exception {
    start(1023, TABLE);
    replay("flink_batch_arrow");
    assertThat(rows(), is(numberedRows()));
  }

  @Test
  public void flinkArrowOfAllTypes() throws Exception {
    start(1033, TYPES_TABLE);
    replay("flink_arrow_types");
    assertThat(rows(), is(typedRows("ab  ")));
  }

  @Test
  public void flinkJsonOfAllTypes() throws Exception {
    start(1036, TYPES_TABLE);
    replay("flink_json_types");
    assertThat(rows(), is(typedRows("ab  ")));
  }

  @Test
  public void flinkJsonWithTwoPhaseCommit() throws Exception {
    start(1004, TABLE);
    replay("flink_json_2pc");
    assertThat(rows(), is(threeRows()));
  }

  @Test
  public void flinkJsonPacked() throws Exception {
    start(1025, TABLE);
    replay("flink_json_gz");
    assertThat(rows(), is(threeRows()));
  }

  @Test
  public void flinkJsonInGroups() throws Exception {
    start(1027, TABLE);
    replay("flink_json_group_commit");
    assertThat(rows(), is(threeRows()));
    assertThat(emulator().transactions().get(0).label().startsWith("group_commit_"), is(true));
  }

  @Test
  public void flinkJsonWithDeletes() throws Exception {
    start(1013, TABLE);
    replay("flink_json_delete_2pc");
    assertThat(rows(), contains(row(1, "a2")));
  }

  @Test
  public void flinkJsonWithUpdatesBefore() throws Exception {
    start(1017, TABLE);
    replay("flink_json_delete_ub");
    assertThat(rows(), contains(row(1, "a2")));
  }

  @Test
  public void flinkJsonWithDeletesInBatchMode() throws Exception {
    start(1024, TABLE);
    replay("flink_batch_json_delete");
    assertThat(rows(), contains(row(1, "a2")));
  }

  @Test
  public void flinkCsvWithDeletes() throws Exception {
    start(1015, TABLE);
    replay("flink_csv_delete_2pc");
    assertThat(rows(), contains(row(1, "a2")));
  }

  @Test
  public void flinkRetriesInBatchMode() throws Exception {
    start(1030, TABLE);
    emulator().inject(Fault.failLoad(recordedFailure("flink_batch_fail_retry/004")).times(2));
    replay("flink_batch_fail_retry");
    assertThat(rows(), contains(row(1, "alpha")));
    assertThat(states(), contains("ABORTED", "ABORTED", "VISIBLE"));
  }

  @Test
  public void flinkFailsOnRejectedRows() throws Exception {
    start(1028, TABLE);
    emulator().inject(Fault.failLoad("[DATA_QUALITY_ERROR]too many filtered rows").times(2));
    replay("flink_load_fail");
    assertThat(rows(), is(empty()));
    assertThat(states(), everyItem(is("ABORTED")));
  }

  @Test
  public void flinkAbortsWhatAnEarlierRunLeft() throws Exception {
    start(1042, TABLE);
    preCommit("lblL_testdb_tbl_0_1");
    replay("flink_restart_lingering_precommitted");
    assertThat(rows(), is(threeRows()));
    assertThat(states(), contains("ABORTED", "ABORTED", "VISIBLE"));
  }

  @Test
  public void flinkRefusesLabelsThatAreFinished() throws Exception {
    start(1005, TABLE);
    preCommit("lblJ_testdb_tbl_0_1");
    WireTestClient.get(
        emulator().backends().get(0),
        "PUT /api/testdb/_stream_load_2pc HTTP/1.1\r\n"
            + WireTestClient.authorization("root", "p@ss:w")
            + "txn_id: 1005\r\ntxn_operation: commit\r\n\r\n");
    replay("flink_restart_same_prefix_finished");
    assertThat(states(), contains("VISIBLE"));
  }

  @Test
  public void sparkJson() throws Exception {
    start(1040, SPARK_TABLE);
    replay("spark_json");
    assertThat(emulator().rows("testdb", "tbl2"), is(sparkRows()));
  }

  @Test
  public void sparkJsonWithTwoPhaseCommit() throws Exception {
    start(1041, SPARK_TABLE);
    replay("spark_json_2pc");
    assertThat(emulator().rows("testdb", "tbl2"), is(sparkRows()));
  }

  private void preCommit(String label) throws IOException {
    String head =
        WireTestClient.loadHead("testdb", "tbl", "label: " + label, "two_phase_commit: true")
            .replace(
                WireTestClient.authorization("root", ""),
                WireTestClient.authorization("root", "p@ss:w"));
    Answer answer = WireTestClient.load(emulator().backends().get(0), head, "7\told");
    assertThat(answer.text("Status"), is("Success"));
  }

  /** The message of a failure in a recorded answer. */
  private static String recordedFailure(String prefix) throws IOException, URISyntaxException {
    String scenario = prefix.substring(0, prefix.indexOf('/'));
    String number = prefix.substring(prefix.indexOf('/') + 1);
    for (Path head : heads(scenario)) {
      if (head.getFileName().toString().startsWith(number)) {
        String recorded =
            Files.readString(Path.of(head.toString().replace(".request-head", ".response")));
        String body = recorded.substring(recorded.indexOf('{'));
        return Json.MAPPER.readTree(body).get("Message").asText();
      }
    }
    throw new IllegalArgumentException("No request " + prefix);
  }

  private static List<Map<String, @Nullable Object>> threeRows() {
    return List.of(row(1, "alpha"), row(2, null), row(3, "中文"));
  }

  private static List<Map<String, @Nullable Object>> numberedRows() {
    return LongStream.rangeClosed(1, 2500).mapToObj(id -> row(id, "n" + id)).toList();
  }

  private static List<Map<String, @Nullable Object>> sparkRows() {
    List<String> names = List.of("id", "name", "d", "dt", "ts");
    return List.of(
        named(
            names,
            1L,
            "alpha",
            new BigDecimal("12.34"),
            LocalDate.of(2024, 2, 29),
            LocalDateTime.parse("2024-02-29T01:02:03.456789")),
        named(names, 2L, null, null, null, null));
  }

  /** The rows of the scenarios with all types; a text of fixed length comes with its blanks. */
  private static List<Map<String, @Nullable Object>> typedRows(String character) {
    List<String> names =
        List.of(
            "id",
            "c_bool",
            "c_tiny",
            "c_small",
            "c_int",
            "c_big",
            "c_float",
            "c_double",
            "c_dec9",
            "c_dec38",
            "c_date",
            "c_ts0",
            "c_ts3",
            "c_ts6",
            "c_ltz3",
            "c_char",
            "c_varchar",
            "c_str",
            "c_arr",
            "c_row");
    LocalDateTime time = LocalDateTime.parse("2024-02-29T01:02:03");
    Map<String, Object> struct = new LinkedHashMap<>();
    struct.put("a", 7L);
    struct.put("b", "x");
    @Nullable Object[] nulls = new Object[names.size()];
    nulls[0] = 2L;
    return List.of(
        named(
            names,
            1L,
            true,
            -1L,
            2L,
            3L,
            4_000_000_000L,
            1.5f,
            2.25,
            new BigDecimal("12.34"),
            new BigDecimal("1234567890.0123456789"),
            LocalDate.of(2024, 2, 29),
            time,
            time.plusNanos(456_000_000),
            time.plusNanos(456_789_000),
            time.plusNanos(456_000_000),
            character,
            "var",
            "str",
            List.of(1L, 2L),
            struct),
        named(names, nulls));
  }

  private static Map<String, @Nullable Object> named(
      List<String> names, @Nullable Object... values) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      row.put(names.get(i), values[i]);
    }
    return row;
  }

  private DorisEmulator start(long firstTransactionId, String ddl) {
    emulator =
        DorisEmulator.builder()
            .password(ddl.equals(SPARK_TABLE) ? "pw" : "p@ss:w")
            .firstTransactionId(firstTransactionId)
            .start();
    emulator.createTable(ddl);
    return emulator;
  }

  private DorisEmulator emulator() {
    if (emulator == null) {
      throw new IllegalStateException("Not started");
    }
    return emulator;
  }

  private List<Map<String, @Nullable Object>> rows() {
    assertThat(emulator().violations(), is(empty()));
    return emulator().rows("testdb", "tbl");
  }

  private List<String> states() {
    return emulator().transactions().stream().map(info -> info.state().name()).toList();
  }

  private static Map<String, @Nullable Object> row(long id, @Nullable String name) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("id", id);
    row.put("name", name);
    return row;
  }

  /** Sends all requests of a scenario in order, and compares the answers. */
  private void replay(String scenario) throws IOException, URISyntaxException {
    for (Path head : heads(scenario)) {
      String name = head.getFileName().toString().replace(".request-head.txt", "");
      boolean toFrontend = name.split("_", -1)[1].equals("fe");
      String address = toFrontend ? emulator().frontend() : emulator().backends().get(0);
      byte[] body = body(head.resolveSibling(name));
      try (WireTestClient client = new WireTestClient(address)) {
        Answer answer = client.exchange(Files.readAllBytes(head), body);
        String recorded = Files.readString(head.resolveSibling(name + ".response.txt"));
        compare(scenario + "/" + name, recorded, answer);
      }
    }
  }

  private static List<Path> heads(String scenario) throws IOException, URISyntaxException {
    Path folder = Path.of(RecordedClientsTest.class.getResource("recorded/" + scenario).toURI());
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".request-head.txt")).sorted().toList();
    }
  }

  private static byte[] body(Path base) throws IOException {
    for (String suffix : List.of(".body-raw-chunked.bin", ".body.bin")) {
      Path file = Path.of(base + suffix);
      if (Files.exists(file)) {
        return Files.readAllBytes(file);
      }
    }
    return new byte[0];
  }

  private void compare(String where, String recorded, Answer answer) throws IOException {
    String continued = "HTTP/1.1 100 Continue";
    String last =
        recorded.startsWith(continued) ? recorded.substring(continued.length()).trim() : recorded;
    if (!recorded.contains("Label Already Exists")) {
      // That is known before the body is asked for, though the server that was recorded asked.
      assertThat(where, answer.continued(), is(recorded.startsWith(continued)));
    }
    assertThat(where, answer.status(), is(Integer.parseInt(last.split(" ", -1)[1])));
    int blank = last.indexOf("\n\n") < 0 ? last.indexOf("\r\n\r\n") : last.indexOf("\n\n");
    String body = blank < 0 ? "" : last.substring(blank).trim();
    if (answer.status() == 307) {
      String location =
          last.lines().filter(line -> line.startsWith("Location: ")).findFirst().get();
      assertThat(
          where,
          answer.headers(),
          hasEntry(
              "Location",
              location
                  .substring("Location: ".length())
                  .replace("127.0.0.1:18040", emulator().backends().get(0))));
    } else if (body.startsWith("{")) {
      compare(where, Json.MAPPER.readTree(body), answer.json());
    } else {
      assertThat(where, answer.body(), equalTo(body));
    }
  }

  /** Compares the fields that do not depend on the server that was recorded. */
  private static void compare(String where, JsonNode recorded, JsonNode answer) {
    List<String> fields =
        new ArrayList<>(
            List.of(
                "TxnId",
                "Label",
                "TwoPhaseCommit",
                "Status",
                "ExistingJobStatus",
                "LoadBytes",
                "status",
                "keysType"));
    if (answer.has("GroupCommit")) {
      // The server that was recorded did not know groups.
      fields.removeAll(List.of("Label", "TwoPhaseCommit"));
    }
    for (String field : fields) {
      assertThat(where + " " + field, answer.get(field), equalTo(recorded.get(field)));
    }
    for (String field : List.of("Message", "msg")) {
      assertThat(
          where + " " + field, messageOf(answer, field), equalTo(messageOf(recorded, field)));
    }
  }

  /** A message without what the server that was recorded had in its own words. */
  private static String messageOf(JsonNode answer, String field) {
    return answer
        .path(field)
        .asText()
        .replace("TStatus: ", "")
        .replaceFirst("(already aborted)[.,] abort reason: .*", "$1");
  }
}
