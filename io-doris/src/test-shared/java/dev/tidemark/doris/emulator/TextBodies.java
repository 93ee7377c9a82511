package dev.tidemark.doris.emulator;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Reads JSON and CSV bodies as the released connectors send them. */
final class TextBodies {

  private static final Pattern HEX = Pattern.compile("\\\\x([0-9a-fA-F]{2})");

  private final LoadPlan plan;
  private final RequestHead head;
  private final RowCollector rows;

  TextBodies(LoadPlan plan, RequestHead head, RowCollector rows) {
    this.plan = plan;
    this.head = head;
    this.rows = rows;
  }

  /** What a body is without its compression. */
  byte[] unpack(byte[] body) throws LoadFailedException {
    String compression = head.header("compress_type", "").toLowerCase(Locale.ROOT);
    if (compression.isEmpty() || body.length == 0) {
      return body;
    }
    if (!compression.equals("gz") && !compression.equals("gzip")) {
      throw LoadFailedException.internal(
          "The emulator does not model the compression " + compression);
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw LoadFailedException.internal("Failed to decompress the body: " + e.getMessage());
    }
  }

  void readJson(byte[] body) throws LoadFailedException, RefusedException {
    boolean outerArray = head.isTrue("strip_outer_array");
    boolean byLine = head.isTrue("read_json_by_line");
    if (!rows.keepsRows() && byLine) {
      rows.count(body.length == 0 ? 0 : linesOf(body));
      return;
    }
    int documents = 0;
    try (JsonParser parser = Json.MAPPER.createParser(body)) {
      while (parser.nextToken() != null) {
        JsonNode node = Json.MAPPER.readTree(parser);
        if (++documents > 1 && !byLine) {
          throw LoadFailedException.internal(
              "[DATA_QUALITY_ERROR]JSON data has more than one document, and neither"
                  + " read_json_by_line nor strip_outer_array is set");
        }
        if (node.isArray()) {
          if (!outerArray) {
            rows.filter(
                "JSON data is array-object, `strip_outer_array` must be TRUE", node.toString());
            continue;
          }
          for (JsonNode element : node) {
            addJson(element);
          }
        } else {
          addJson(node);
        }
      }
    } catch (JsonParseException e) {
      throw new LoadFailedException(
          "[DATA_QUALITY_ERROR]Parse json data for JsonDoc failed: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw LoadFailedException.internal("Cannot read the body: " + e.getMessage());
    }
  }

  private void addJson(JsonNode node) throws RefusedException {
    if (!node.isObject()) {
      rows.filter("JSON data is not an object", node.toString());
      return;
    }
    List<LoadPlan.Source> sources = plan.sources();
    @Nullable Object[] fields = new Object[sources.size()];
    for (int i = 0; i < fields.length; i++) {
      LoadPlan.Source source = sources.get(i);
      JsonNode value = node.get(source.name());
      if (value == null && source.column() >= 0) {
        fields[i] = plan.defaultOf(source.column());
        continue;
      }
      try {
        fields[i] = TextValues.ofJson(plan.typeOf(source), value);
      } catch (BadValueException e) {
        if (filters(source)) {
          rows.filter(reasonOf(source, e), node.toString());
          return;
        }
      }
    }
    rows.add(fields, node.toString());
  }

  void readCsv(byte[] body) throws RefusedException {
    String line = unescape(head.header("line_delimiter", "\n"));
    String separator = unescape(head.header("column_separator", "\t"));
    String text = new String(body, StandardCharsets.UTF_8);
    if (text.endsWith(line)) {
      text = text.substring(0, text.length() - line.length());
    }
    if (text.isEmpty()) {
      return;
    }
    for (String row : text.split(Pattern.quote(line), -1)) {
      if (rows.keepsRows()) {
        addCsv(row, row.split(Pattern.quote(separator), -1));
      } else {
        rows.count(1);
      }
    }
  }

  private void addCsv(String line, String[] texts) throws RefusedException {
    List<LoadPlan.Source> sources = plan.sources();
    if (texts.length != sources.size()) {
      rows.filter(
          "actual column number in csv file is "
              + (texts.length < sources.size() ? "less" : "more")
              + " than schema column number. actual number: "
              + texts.length
              + ", schema column number: "
              + sources.size(),
          line);
      return;
    }
    @Nullable Object[] fields = new Object[texts.length];
    for (int i = 0; i < texts.length; i++) {
      if (texts[i].equals("\\N")) {
        continue;
      }
      try {
        fields[i] = TextValues.parse(plan.typeOf(sources.get(i)), texts[i]);
      } catch (BadValueException e) {
        if (filters(sources.get(i))) {
          rows.filter(reasonOf(sources.get(i), e), line);
          return;
        }
      }
    }
    rows.add(fields, line);
  }

  /** Whether a text that is no value filters its row; otherwise NULL takes its place. */
  private boolean filters(LoadPlan.Source source) {
    return plan.strict()
        || source.column() < 0
        || !plan.table().columns().get(source.column()).nullable();
  }

  private static String reasonOf(LoadPlan.Source source, BadValueException e) {
    return "column(" + source.name() + ") value is incorrect: " + e.getMessage();
  }

  private static long linesOf(byte[] body) {
    long lines = body[body.length - 1] == '\n' ? 0 : 1;
    for (byte b : body) {
      lines += b == '\n' ? 1 : 0;
    }
    return lines;
  }

  private static String unescape(String text) {
    Matcher matcher = HEX.matcher(text);
    String hex =
        matcher.replaceAll(
            match ->
                Matcher.quoteReplacement(
                    String.valueOf((char) Integer.parseInt(match.group(1), 16))));
    return hex.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r");
  }
}
