package dev.tidemark.doris.emulator;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import dev.tidemark.doris.emulator.WireTestClient.Answer;
import java.io.IOException;
import org.junit.Test;

/** What loads leave in tables. */
public class TablesTest extends EmulatorTestBase {

  private static final String SIGNED = "columns: id,name,n,__DORIS_DELETE_SIGN__";
  private static final String SEQUENCE =
      "CREATE TABLE db.s (id BIGINT, name STRING, ts INT) UNIQUE KEY(id)"
          + " PROPERTIES(\"function_column.sequence_col\" = \"ts\")";
  private static final String HIDDEN_SEQUENCE =
      "CREATE TABLE db.s (id BIGINT, name STRING, ts INT) UNIQUE KEY(id)"
          + " PROPERTIES(\"function_column.sequence_type\" = \"int\")";

  @Test
  public void laterRowsReplaceEarlierOnes() throws Exception {
    start();
    csv("a", "2|b|1\n1|a|1\n1|a2|2");
    csv("b", "2|b2|3");
    assertThat(rows(), contains("[1, a2, 2]", "[2, b2, 3]"));
  }

  @Test
  public void orderOfCommitsDecidesNotThatOfPreCommits() throws Exception {
    start();
    preCommit("first", "1|first|1");
    preCommit("second", "1|second|1");
    decide("commit", "label: second");
    decide("commit", "label: first");
    assertThat(rows(), contains("[1, first, 1]"));
  }

  @Test
  public void signedRowsAreDeleted() throws Exception {
    start();
    csv("a", "1|a|1\n2|b|1");
    csv("b", "1|x|0|1\n3|c|1|0\n4|d|1|0\n4|d|1|1", SIGNED);
    assertThat(rows(), contains("[2, b, 1]", "[3, c, 1]"));
    csv("c", "1|again|1|0", SIGNED);
    assertThat(rows().get(0), is("[1, again, 1]"));
  }

  @Test
  public void deletesNeedValuesOfColumnsThatAreNotNull() throws Exception {
    start();
    csv("a", "1|a|1");
    assertThat(
        csv("b", "1|a|\\N|1", SIGNED).text("FirstErrorMsg"),
        containsString("column(n) values is null while columns is not nullable"));
    assertThat(rows(), contains("[1, a, 1]"));
  }

  @Test
  public void signsOtherThanZeroAndOneAreRefused() throws Exception {
    start();
    assertThat(csv("a", "1|a|1|2", SIGNED).text("Message"), containsString("Send 0 or 1"));
    assertThat(csv("a", "1|a|1|\\N", SIGNED).text("Message"), containsString("Send 0 or 1"));
  }

  @Test
  public void loadOfDeletesAndLoadOfBoth() throws Exception {
    start();
    csv("a", "1|a|1\n2|b|1\n3|c|1");
    csv("b", "1|a|1", "merge_type: DELETE");
    csv("c", "2|b|1|D\n3|c2|2|U", "merge_type: MERGE", "columns: id,name,n,op", "delete: op='D'");
    assertThat(rows(), contains("[3, c2, 2]"));
    assertThat(
        csv("d", "", "merge_type: MERGE").text("Message"), containsString("DELETE ON clause"));
    assertThat(csv("d", "", "delete: n=1").text("Message"), containsString("DELETE ON clause"));
  }

  @Test
  public void appendTableKeepsAllRowsAndHasNoDeletes() throws Exception {
    start();
    doris().createTable("CREATE TABLE db.log (id BIGINT, v STRING) DUPLICATE KEY(id)");
    load("log", "2|a\n1|b\n2|a", "column_separator: |");
    assertThat(rows("log"), contains("[2, a]", "[1, b]", "[2, a]"));
    Answer answer = load("log", "1|a", "column_separator: |", "merge_type: DELETE");
    assertThat(answer.text("Message"), containsString("only supported in unique tables"));
    byte[] body = new byte[0];
    assertThat(
        WireTestClient.load(
                backend(),
                WireTestClient.loadHead(
                    "db", "log", "format: arrow", "columns: id,v,__DORIS_DELETE_SIGN__"),
                body)
            .text("Message"),
        containsString("Unknown column __DORIS_DELETE_SIGN__ in table log"));
  }

  @Test
  public void greaterSequenceWinsWhateverTheOrder() throws Exception {
    start();
    doris().createTable(SEQUENCE);
    sequenced("1|new|5\n1|old|4");
    assertThat(rows("s"), contains("[1, new, 5]"));
    sequenced("1|older|3");
    assertThat(rows("s"), contains("[1, new, 5]"));
    sequenced("1|equal|5");
    assertThat(rows("s"), contains("[1, equal, 5]"));
    sequenced("1|none|\\N");
    assertThat(rows("s"), contains("[1, equal, 5]"));
  }

  @Test
  public void deletesHaveASequenceToo() throws Exception {
    start();
    doris().createTable(SEQUENCE);
    String columns = "columns: id,name,ts,__DORIS_DELETE_SIGN__";
    sequenced("1|a|5|0", columns);
    sequenced("1|a|4|1", columns);
    assertThat(rows("s"), contains("[1, a, 5]"));
    sequenced("1|a|6|1", columns);
    assertThat(rows("s"), is(empty()));
    sequenced("1|late|5|0", columns);
    assertThat(rows("s"), is(empty()));
    sequenced("1|back|6|0", columns);
    assertThat(rows("s"), contains("[1, back, 6]"));
  }

  @Test
  public void sequenceHasToBeNamed() throws Exception {
    start();
    doris().createTable(SEQUENCE);
    assertThat(
        sequenced("1|a", "columns: id,name").text("Message"),
        containsString("has sequence column, need to specify the sequence column"));
  }

  @Test
  public void hiddenSequenceIsNamedByAHeaderOrAColumn() throws Exception {
    start();
    doris().createTable(HIDDEN_SEQUENCE);
    assertThat(sequenced("1|a|5").text("Status"), is("Fail"));
    sequenced("1|new|5", "function_column.sequence_col: ts");
    sequenced("1|old|4", "function_column.sequence_col: ts");
    sequenced("1|older|9|3", "columns: id,name,ts,__DORIS_SEQUENCE_COL__");
    assertThat(rows("s"), contains("[1, new, 5]"));
    sequenced("1|newest|0|6", "columns: id,name,ts,__DORIS_SEQUENCE_COL__");
    assertThat(rows("s"), contains("[1, newest, 0]"));
  }

  @Test
  public void partialUpdateKeepsOtherColumns() throws Exception {
    start();
    csv("a", "1|a|1");
    csv("b", "1|9\n2|8", "partial_columns: true", "columns: id,n");
    assertThat(rows(), contains("[1, a, 9]", "[2, null, 8]"));
    csv("c", "2|x", "partial_columns: true", "columns: id,name");
    csv("d", "3|y", "partial_columns: true", "columns: id,name");
    assertThat(rows(), contains("[1, a, 9]", "[2, x, 8]", "[3, y, 7]"));
  }

  @Test
  public void partialUpdateHasItsRefusals() throws Exception {
    start();
    doris().createTable("CREATE TABLE db.p (id INT, a INT NOT NULL, b INT) UNIQUE KEY(id)");
    doris()
        .createTable(
            "CREATE TABLE db.mor (id INT, a INT) UNIQUE KEY(id)"
                + " PROPERTIES(\"enable_unique_key_merge_on_write\" = \"false\")");
    String[] partial = {"partial_columns: true", "column_separator: |", "columns: id,b"};
    assertThat(
        load("p", "1|1", partial).text("Message"),
        containsString("the unmentioned column `a` should have default value"));
    load("p", "1|1|1", "column_separator: |");
    assertThat(load("p", "1|2", partial).text("Status"), is("Success"));
    assertThat(rows("p"), contains("[1, 1, 2]"));
    assertThat(
        load("p", "1", "partial_columns: true", "columns: b").text("Message"),
        containsString("should include all key columns, missing: id"));
    assertThat(
        load("mor", "1|1", "partial_columns: true").text("Message"),
        containsString("Only unique key merge on write table support partial update"));
    assertThat(
        csv(
                "x",
                "5|1",
                "partial_columns: true",
                "columns: id,n",
                "partial_update_new_key_behavior: ERROR")
            .text("Message"),
        containsString("Can't append new rows in partial update"));
  }

  @Test
  public void equalKeysCanBeRefused() throws Exception {
    start(DorisEmulator.builder().equalKeys(EqualKeys.REFUSE));
    doris().createTable(SEQUENCE);
    assertThat(
        csv("a", "1|a|1\n1|b|1").text("Message"),
        containsString("two rows of the load have one key"));
    assertThat(csv("a", "1|a|1\n2|b|1").text("Status"), is("Success"));
    assertThat(sequenced("1|a|1\n1|b|2").text("Status"), is("Success"));
  }

  @Test
  public void truncateKeepsLabels() throws Exception {
    start();
    csv("a", "1|a|1");
    doris().truncate("db", "t");
    assertThat(rows(), is(empty()));
    assertThat(stateOf("a"), is("VISIBLE"));
  }

  @Test
  public void discardedRowsAreCounted() throws Exception {
    start(DorisEmulator.builder().discardRows(true));
    Answer answer = csv("a", "1|a|1\n2|b|1");
    assertThat(answer.json().get("NumberLoadedRows").asLong(), is(2L));
    answer =
        load("t", "{\"id\":1}\n{\"id\":2}\n{\"id\":3}", "format: json", "read_json_by_line: true");
    assertThat(answer.json().get("NumberLoadedRows").asLong(), is(3L));
    assertThat(rows(), is(empty()));
  }

  @Test
  public void statementsThatDorisRefuses() throws Exception {
    start();
    for (String ddl :
        new String[] {
          "CREATE TABLE t (id INT) UNIQUE KEY(id)",
          TABLE,
          "CREATE TABLE db.x (a INT, id INT) UNIQUE KEY(id)",
          "CREATE TABLE db.x (id STRING, a INT) UNIQUE KEY(id)",
          "CREATE TABLE db.x (id INT, a INT SUM) AGGREGATE KEY(id)",
          "CREATE TABLE db.x (id INT, a GEOMETRY) UNIQUE KEY(id)",
          "CREATE TABLE db.x (id INT, a DECIMAL(77, 2)) UNIQUE KEY(id)",
          "CREATE TABLE db.x (id INT, a INT DEFAULT 'x') UNIQUE KEY(id)",
          "CREATE TABLE db.x (id INT) UNIQUE KEY(id)"
              + " PROPERTIES(\"function_column.sequence_col\" = \"none\")",
          "SELECT a FROM db.t",
          "DROP TABLE db.none",
        }) {
      assertThrows(ddl, StatementException.class, () -> doris().createTable(ddl));
    }
  }

  @Test
  public void statementsWithAllThatRealOnesHave() throws Exception {
    start();
    doris()
        .createTable(
            """
            CREATE TABLE IF NOT EXISTS `db`.`full` (
              `id` bigint(20) NOT NULL COMMENT "the key", -- remark
              `at` datetimev2(3) NULL DEFAULT NULL,
              `d` decimalv3(12, 4) DEFAULT "1.5",
              `m` MAP<STRING, ARRAY<INT>> NULL,
              INDEX i (`d`) USING INVERTED COMMENT 'x'
            ) ENGINE=OLAP UNIQUE KEY(`id`) COMMENT 'a, (table)'
            DISTRIBUTED BY HASH(`id`) BUCKETS 4
            PROPERTIES ("replication_num" = "1");
            """);
    load("full", "{\"id\": 1}", "format: json");
    assertThat(rows("full"), contains("[1, null, 1.5000, null]"));
  }

  private Answer sequenced(String body, String... headers) throws IOException {
    return load("s", body, with(headers, "column_separator: |"));
  }
}
