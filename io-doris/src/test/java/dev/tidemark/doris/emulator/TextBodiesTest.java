package dev.tidemark.doris.emulator;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.doris.emulator.WireTestClient.Answer;
import java.io.IOException;
import org.junit.Test;

/** JSON and CSV bodies, and which of their rows are filtered. */
public class TextBodiesTest extends EmulatorTestBase {

  @Test
  public void documentsByLineInAnArrayAndAlone() throws Exception {
    start();
    json("{\"id\":1}\n{\"id\":2,\"n\":3}", "read_json_by_line: true");
    json("[{\"id\":3},{\"id\":4}]", "strip_outer_array: true");
    json("{\"name\":null,\"id\":5}");
    assertThat(
        rows(),
        contains("[1, null, 7]", "[2, null, 3]", "[3, null, 7]", "[4, null, 7]", "[5, null, 7]"));
  }

  @Test
  public void documentsThatNoHeaderAnnounces() throws Exception {
    start();
    assertThat(json("{\"id\":1}\n{\"id\":2}").text("Status"), is("Fail"));
    assertThat(
        json("[{\"id\":1}]").text("FirstErrorMsg"),
        containsString("`strip_outer_array` must be TRUE"));
    assertThat(json("{\"id\":").text("Message"), containsString("Parse json data"));
    assertThat(rows(), is(empty()));
  }

  @Test
  public void valuesThatAreNoneBecomeNullOrFilterTheirRow() throws Exception {
    start();
    doris().createTable("CREATE TABLE db.v (id INT, a TINYINT, b INT NOT NULL) UNIQUE KEY(id)");
    load("v", "1|128|1", "column_separator: |");
    assertThat(rows("v"), contains("[1, null, 1]"));
    Answer strict = load("v", "1|128|1", "column_separator: |", "strict_mode: true");
    assertThat(strict.text("Message"), is("[DATA_QUALITY_ERROR]too many filtered rows"));
    Answer notNull = load("v", "1|1|x", "column_separator: |");
    assertThat(
        notNull.text("FirstErrorMsg"), containsString("column(b) value is incorrect: not a INT"));
  }

  @Test
  public void someRowsMayBeFiltered() throws Exception {
    start();
    String body = "1|a|1\n2|b\n3|c|1\n4|d|1";
    Answer answer = csv("a", body);
    assertThat(answer.text("Status"), is("Fail"));
    assertThat(answer.json().get("NumberTotalRows").asLong(), is(4L));
    assertThat(answer.json().get("NumberFilteredRows").asLong(), is(1L));
    assertThat(stateOf("a"), is("ABORTED"));
    answer = csv("a", body, "max_filter_ratio: 0.25");
    assertThat(answer.text("Status"), is("Success"));
    assertThat(answer.json().get("NumberLoadedRows").asLong(), is(3L));
    assertThat(rows(), contains("[1, a, 1]", "[3, c, 1]", "[4, d, 1]"));
  }

  @Test
  public void errorUrlHasTheReasons() throws Exception {
    start();
    Answer answer = csv("a", "1|a|1\n2|b");
    String url = answer.text("ErrorURL");
    String prefix = "http://" + backend();
    assertThat(url, containsString(prefix + "/api/_load_error_log?file="));
    Answer log =
        WireTestClient.get(
            backend(), "GET " + url.substring(prefix.length()) + " HTTP/1.1\r\n\r\n");
    assertThat(
        log.body(),
        is(
            "Reason: actual column number in csv file is less than schema column number. actual"
                + " number: 2, schema column number: 3. src line [2|b]; \n"));
  }

  @Test
  public void textsOfAllTypes() throws Exception {
    start();
    doris()
        .createTable(
            "CREATE TABLE db.v (id INT, a BOOLEAN, b LARGEINT, c DECIMAL(5,2), d DATETIME(1), e DATE,"
                + " f DOUBLE, g ARRAY<INT>, h MAP<STRING,INT>, i STRUCT<x:INT,y:STRING>, j JSON)"
                + " UNIQUE KEY(id)");
    load(
        "v",
        "1|true|-5|1.005|2026-01-02 03:04:05.05|2026-01-02 03:04:05|1e3|[1, null]|{\"k\": 1}"
            + "|{\"y\": \"t\", \"x\": 2}|{\"z\": [1.50]}",
        "column_separator: |");
    assertThat(
        rows("v"),
        contains(
            "[1, true, -5, 1.01, 2026-01-02T03:04:05.100, 2026-01-02, 1000.0, [1, null], {k=1},"
                + " {x=2, y=t}, {\"z\":[1.50]}]"));
  }

  @Test
  public void separatorsInHexadecimal() throws Exception {
    start();
    load("t", "1\u0001a\u00012;2\u0001b\u00013;", "column_separator: \\x01", "line_delimiter: ;");
    assertThat(rows(), contains("[1, a, 2]", "[2, b, 3]"));
  }

  @Test
  public void fieldsWithoutAColumnAreIgnored() throws Exception {
    start();
    csv("a", "1|junk|a", "columns: id,junk,name");
    json("{\"id\":2,\"junk\":[1]}");
    assertThat(rows(), contains("[1, a, 7]", "[2, null, 7]"));
  }

  private Answer json(String body, String... headers) throws IOException {
    return load("t", body, with(headers, "format: json"));
  }
}
