package dev.tidemark.doris.emulator;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.doris.emulator.WireTestClient.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** Headers and endpoints. */
public class ProtocolTest extends EmulatorTestBase {

  @Test
  public void frontendWantsExpectAndCredentials() throws Exception {
    start();
    String head = WireTestClient.loadHead("db", "t");
    assertThat(
        frontend(head.replace("Expect: 100-continue\r\n", "")).text("msg"),
        is("There is no 100-continue header"));
    Answer denied = frontend(head.replace("Authorization", "X"));
    assertThat(denied.status(), is(401));
    assertThat(denied.headers(), hasEntry("WWW-Authenticate", "Basic realm=\"\""));
    assertThat(frontend(head).status(), is(307));
  }

  @Test
  public void frontendNamesItsBackendsInTurn() throws Exception {
    start(DorisEmulator.builder().backendCount(3).password("p@ss:w/1"));
    List<String> expected = new ArrayList<>();
    List<String> named = new ArrayList<>();
    for (String backend : doris().backends()) {
      expected.add("http://root:p%40ss%3Aw%2F1@" + backend + "/api/db/t/_stream_load?");
      named.add(
          frontend(
                  WireTestClient.loadHead("db", "t")
                      .replace(
                          WireTestClient.authorization("root", ""),
                          WireTestClient.authorization("root", "p@ss:w/1")))
              .headers()
              .get("Location"));
    }
    assertThat(named, is(expected));
  }

  @Test
  public void frontendChecksDecisions() throws Exception {
    start();
    String head =
        "PUT /api/db/_stream_load_2pc HTTP/1.1\r\n" + WireTestClient.authorization("root", "");
    assertThat(frontend(head).text("msg"), is("No transaction id or label selected."));
    assertThat(
        frontend(head + "label: a\r\n").text("msg"),
        is("No transaction operation('commit' or 'abort') selected."));
    Answer redirect = frontend(head + "label: a\r\ntxn_operation: commit\r\n");
    assertThat(redirect.status(), is(307));
    assertThat(
        redirect.headers().get("Location"),
        is("http://root:@" + backend() + "/api/db/_stream_load_2pc?"));
  }

  @Test
  public void backendChecksCredentials() throws Exception {
    start(DorisEmulator.builder().password("right"));
    assertThat(csv("a", "1|a|1").text("Message"), containsString("Access denied for user 'root'"));
    assertThat(
        WireTestClient.load(
                backend(), WireTestClient.loadHead("db", "t").replace("Authorization", "X"), "")
            .text("Message"),
        containsString("no valid Basic authorization"));
    assertThat(decide("commit", "txn_id: 1").text("status"), is("NOT_AUTHORIZED"));
    assertThat(doris().transactions(), is(empty()));
  }

  @Test
  public void backendChecksLabels() throws Exception {
    start();
    assertThat(csv("a.b", "").text("Message"), containsString("Label format error. regex: "));
    assertThat(csv("a".repeat(129), "").text("Status"), is("Fail"));
    assertThat(csv("a".repeat(128), "").text("Status"), is("Success"));
    String generated = load("t", "1|a|1", "column_separator: |").text("Label");
    assertThat(generated.length(), is(36));
    assertThat(stateOf(generated), is("VISIBLE"));
  }

  @Test
  public void backendWantsEitherLengthOrChunks() throws Exception {
    start();
    String head = WireTestClient.loadHead("db", "t", "column_separator: |");
    assertThat(
        WireTestClient.get(backend(), head + "\r\n").text("Message"),
        containsString("content_length is empty and transfer-encoding!=chunked"));
    assertThat(
        WireTestClient.get(
                backend(), head + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n")
            .text("Message"),
        containsString("please do not set both"));
    try (WireTestClient client = new WireTestClient(backend())) {
      Answer answer =
          client.exchange(
              bytes(head + "Transfer-Encoding: chunked\r\n\r\n"),
              bytes("3\r\n1|a\r\n2;x=y\r\n|1\r\n0\r\n\r\n"));
      assertThat(answer.text("Status"), is("Success"));
    }
    assertThat(rows(), contains("[1, a, 1]"));
  }

  @Test
  public void shortBodiesAreRolledBack() throws Exception {
    start();
    for (String[] request :
        new String[][] {
          {"a", "Content-Length: 10", "1|a|1"},
          {"b", "Transfer-Encoding: chunked", "5\r\n1|a|1\r\n"}
        }) {
      try (WireTestClient client = new WireTestClient(backend())) {
        client.send(
            bytes(
                WireTestClient.loadHead("db", "t", "label: " + request[0], request[1])
                    + "\r\n"
                    + request[2]));
        client.shutdownOutput();
        assertThat(
            client.answer().text("Message"),
            containsString("receive body don't equal with body bytes"));
      }
      assertThat(stateOf(request[0]), is("ABORTED"));
    }
    assertThat(rows(), is(empty()));
  }

  @Test
  public void longBodiesAreRefusedBeforeTheyAreSent() throws Exception {
    start(DorisEmulator.builder().maxBodyBytes(4));
    Answer answer = csv("a", "1|a|1");
    assertThat(answer.continued(), is(false));
    assertThat(answer.text("Message"), containsString("exceed BE's conf `streaming_load_max_mb`"));
    assertThat(stateOf("a"), is("UNKNOWN"));
  }

  @Test
  public void groupsHaveNoLabels() throws Exception {
    start();
    assertThat(
        csv("a", "1|a|1", "group_commit: async_mode").text("Message"),
        containsString("label and group_commit can't be set at the same time"));
    Answer grouped = load("t", "1|a|1", "column_separator: |", "group_commit: sync_mode");
    assertThat(grouped.json().get("GroupCommit").asBoolean(), is(true));
    assertThat(grouped.json().has("TwoPhaseCommit"), is(false));
    assertThat(csv("a", "1|a|1", "group_commit: off_mode").text("Status"), is("Success"));
    assertThat(csv("b", "1|a|1", "group_commit: on").text("Status"), is("Fail"));
  }

  @Test
  public void newerBackendsDropLabelsOfChunkedLoads() throws Exception {
    start(DorisEmulator.builder().dropLabelOfChunked(true));
    String head = WireTestClient.loadHead("db", "t", "label: a", "column_separator: |");
    String chunked = "Transfer-Encoding: chunked\r\n\r\n";
    byte[] body = bytes("5\r\n1|a|1\r\n0\r\n\r\n");
    try (WireTestClient client = new WireTestClient(backend())) {
      Answer dropped = client.exchange(bytes(head + chunked), body);
      assertThat(dropped.text("Label"), is(not("a")));
      Answer kept = client.exchange(bytes(head + "group_commit: off_mode\r\n" + chunked), body);
      assertThat(kept.text("Label"), is("a"));
    }
    assertThat(csv("b", "1|a|1").text("Label"), is("b"));
  }

  @Test
  public void cloudModeHasNoTwoPhaseCommitOfMergeOnWriteTables() throws Exception {
    start(DorisEmulator.builder().twoPhaseUnsupported(true));
    assertThat(
        preCommit("a", "1|a|1").text("Message"),
        containsString("stream load 2pc is unsupported for mow table"));
    assertThat(csv("a", "1|a|1").text("Status"), is("Success"));
  }

  @Test
  public void unknownTablesDatabasesFormatsAndHeaders() throws Exception {
    start();
    assertThat(load("none", "").text("Message"), containsString("unknown table, tableName=none"));
    assertThat(
        WireTestClient.load(backend(), WireTestClient.loadHead("none", "t"), "").text("Message"),
        containsString("unknown database, database=none"));
    assertThat(csv("a", "", "format: orc").text("Message"), containsString("unknown data format"));
    assertThat(
        csv("a", "", "where: id > 1").text("Message"),
        containsString("The emulator does not model the header where"));
    assertThat(
        csv("a", "", "columns: id,name=upper(name)").text("Message"),
        containsString("does not model expressions"));
  }

  @Test
  public void headersThatCannotBeRead() throws Exception {
    start();
    assertThat(
        csv("a", "", "max_filter_ratio: 2").text("Message"), containsString("max_filter_ratio"));
    assertThat(csv("a", "", "strict_mode: yes").text("Message"), containsString("strict mode"));
    assertThat(csv("a", "", "timeout: soon").text("Message"), containsString("timeout format"));
    assertThat(csv("a", "", "merge_type: NONE").text("Message"), containsString("merge type"));
    assertThat(csv("a", "", "columns: id,id").text("Message"), containsString("Duplicate column"));
    assertThat(
        csv("b", "1|a|1", "compress_type: lz4").text("Message"),
        containsString("does not model the compression lz4"));
    assertThat(
        csv("b", "1|a|1", "compress_type: gz").text("Message"), containsString("decompress"));
  }

  @Test
  public void answersHaveTheFieldsOfDoris() throws Exception {
    start();
    List<String> names = new ArrayList<>();
    csv("a", "1|a|1", "comment: c").json().fieldNames().forEachRemaining(names::add);
    assertThat(
        names,
        contains(
            "TxnId",
            "Label",
            "Comment",
            "TwoPhaseCommit",
            "Status",
            "Message",
            "NumberTotalRows",
            "NumberLoadedRows",
            "NumberFilteredRows",
            "NumberUnselectedRows",
            "LoadBytes",
            "LoadTimeMs",
            "BeginTxnTimeMs",
            "StreamLoadPutTimeMs",
            "ReadDataTimeMs",
            "WriteDataTimeMs",
            "ReceiveDataTimeMs",
            "CommitAndPublishTimeMs"));
    assertThat(csv("b", "1|a|1").body(), startsWith("{\n    \"TxnId\": 1002,\n"));
  }

  @Test
  public void schemaHasVisibleColumnsOnly() throws Exception {
    start();
    doris()
        .createTable(
            "CREATE TABLE db.s (k INT NOT NULL, d DECIMAL(20,4), t DATETIME(6), v VARCHAR(5),"
                + " a ARRAY<INT>, j JSON COMMENT 'c') UNIQUE KEY(k)"
                + " PROPERTIES(\"function_column.sequence_type\" = \"int\")");
    JsonNode data = get("/api/db/s/_schema").json().get("data");
    assertThat(data.get("keysType").asText(), is("UNIQUE_KEYS"));
    List<String> columns = new ArrayList<>();
    data.get("properties").forEach(property -> columns.add(property.toString()));
    assertThat(columns, hasSize(6));
    assertThat(
        columns.subList(0, 3),
        contains(
            "{\"name\":\"k\",\"aggregation_type\":\"\",\"comment\":\"\",\"type\":\"INT\","
                + "\"is_nullable\":\"No\"}",
            "{\"name\":\"d\",\"aggregation_type\":\"NONE\",\"comment\":\"\",\"type\":\"DECIMAL128\","
                + "\"precision\":\"20\",\"scale\":\"4\",\"is_nullable\":\"Yes\"}",
            "{\"name\":\"t\",\"aggregation_type\":\"NONE\",\"comment\":\"\",\"type\":\"DATETIMEV2\","
                + "\"is_nullable\":\"Yes\"}"));
    assertThat(get("/api/db/none/_schema").json().get("code").asInt(), is(1));
  }

  @Test
  public void backendsAndStates() throws Exception {
    start(DorisEmulator.builder().backendCount(2));
    JsonNode backends = get("/api/backends?is_alive=true").json().at("/data/backends");
    assertThat(
        backends.get(1).get("ip").asText() + ":" + backends.get(1).get("http_port").asInt(),
        is(doris().backends().get(1)));
    assertThat(
        get("/api/db/get_load_state?label=x").body(),
        is("{\"msg\":\"success\",\"code\":0,\"data\":\"UNKNOWN\",\"count\":0}"));
    assertThat(get("/api/none/get_load_state?label=x").json().get("code").asInt(), is(1));
    assertThat(get("/api/none/of/these").status(), is(404));
  }

  @Test
  public void queriesCreateFillAndShowTables() throws Exception {
    start();
    query("CREATE TABLE q (id INT, at DATETIME, d DECIMAL(5,2), a ARRAY<INT>) UNIQUE KEY(id)");
    load("q", "1|2026-01-02 03:04:05|1.5|[1]", "column_separator: |");
    JsonNode data = query("SELECT * FROM q").get("data");
    assertThat(data.get("data").toString(), is("[[1,\"2026-01-02 03:04:05\",1.50,[1]]]"));
    assertThat(data.at("/meta/2").toString(), containsString("\"DECIMAL(5,2)\""));
    assertThat(query("select count(*) from db.q").at("/data/data").toString(), is("[[1]]"));
    query("TRUNCATE TABLE q");
    assertThat(
        query("SELECT COUNT(*), SUM(id) FROM q").at("/data/data").toString(), is("[[0,null]]"));
    assertThat(query("SELECT * FROM q LIMIT 5").at("/data/data").toString(), is("[]"));
    assertThat(query("UPDATE q SET id = 1").get("code").asInt(), is(1));
  }

  @Test
  public void queriesAddUpColumnsOfIntegers() throws Exception {
    start();
    query("CREATE TABLE q (id INT, n SMALLINT, name VARCHAR(9)) UNIQUE KEY(id)");
    load("q", "1|30000|a\n2|30000|b\n3|\\N|c", "column_separator: |");
    load("q", "2|-1|b", "column_separator: |");
    assertThat(
        query("SELECT COUNT(*), SUM(n) FROM q").at("/data/data").toString(), is("[[3,29999]]"));
    assertThat(
        query("SELECT COUNT(*), SUM(name) FROM q").get("data").asText(), containsString("BIGINT"));
    assertThat(
        query("SELECT COUNT(*), SUM(none) FROM q").get("data").asText(),
        containsString("Unknown column 'none'"));
  }

  @Test
  public void adminInjectsFaultsAndTellsWhatHappened() throws Exception {
    start();
    assertThat(
        post("/api/_emulator/faults", "{\"kind\": \"FAIL\", \"text\": \"[X]\", \"label\": \"a\"}")
            .status(),
        is(200));
    assertThat(post("/api/_emulator/faults", "{\"kind\": \"NONE\"}").status(), is(400));
    assertThat(csv("a", "1|a|1").text("Message"), is("[X]"));
    csv("b", "1|a|1");
    JsonNode transactions = get("/api/_emulator/transactions").json().get("data");
    assertThat(transactions.get(0).get("label").asText(), is("b"));
    assertThat(transactions.get(0).get("state").asText(), is("VISIBLE"));
    assertThat(get("/api/_emulator/violations").json().get("data").toString(), is("[]"));
    assertThat(get("/api/_emulator/requests").body(), containsString("\"fault\":\"FAIL\""));
  }

  @Test
  public void credentialsAreNowhereToBeSeen() throws Exception {
    start(DorisEmulator.builder().password("s3cret"));
    csv("a", "1|a|1");
    assertThat(doris().requests().toString(), containsString("authorization=***"));
    assertThat(new Call.Credentials("root", "s3cret").toString(), is("Credentials{root}"));
  }

  private Answer frontend(String head) throws IOException {
    return WireTestClient.get(doris().frontend(), head + "Content-Length: 0\r\n\r\n");
  }

  private Answer get(String path) throws IOException {
    return WireTestClient.get(
        doris().frontend(),
        "GET " + path + " HTTP/1.1\r\n" + WireTestClient.authorization("root", "") + "\r\n");
  }

  private Answer post(String path, String body) throws IOException {
    return WireTestClient.get(
        doris().frontend(),
        "POST "
            + path
            + " HTTP/1.1\r\n"
            + WireTestClient.authorization("root", "")
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  private JsonNode query(String statement) throws IOException {
    return post("/api/query/default_cluster/db", "{\"stmt\": \"" + statement + "\"}").json();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
