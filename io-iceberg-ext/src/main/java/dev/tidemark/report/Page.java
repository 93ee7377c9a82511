package dev.tidemark.report;

import com.google.common.io.Resources;
import dev.tidemark.sensor.FinalizationReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** What every page has: it stands alone, runs no script and may load nothing. */
final class Page {
  private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'";

  private final Markup html;
  private final Words words;

  Page(Markup html, Words words) {
    this.html = html;
    this.words = words;
  }

  void begin(String kind, FinalizationReport table, Instant madeAt) {
    html.raw("<!DOCTYPE html>\n");
    html.open("html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml").open("head");
    html.leaf("meta", "charset", "utf-8");
    html.leaf("meta", "http-equiv", "Content-Security-Policy", "content", POLICY);
    html.leaf("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.leaf("meta", "name", "color-scheme", "content", "light dark");
    html.element("title", kind + " of " + table.table());
    html.open("style").raw(style()).close();
    html.close();
    html.open("body").open("main");
    html.open("header");
    html.element("p", kind, "class", "kind");
    html.element("h1", table.table());
    html.element(
        "p",
        "Branch %s, table UUID %s. Made at %s, all times in %s."
            .formatted(table.branch(), table.tableUuid(), words.full(madeAt), words.zoneName()),
        "class",
        "muted");
    html.close();
  }

  void end() {
    html.close().close().close();
  }

  void openTiles() {
    html.open("section", "class", "tiles");
  }

  void tile(String name, String value, String more) {
    html.open("div", "class", "tile");
    html.element("p", name, "class", "name");
    html.element("p", value, "class", "value");
    html.element("p", more, "class", "muted");
    html.close();
  }

  /** What the page does not know stands before what it shows. */
  void notices(List<String> notices) {
    if (notices.isEmpty()) {
      return;
    }
    html.open("section", "class", "notices");
    html.element("h2", "What is not known");
    html.open("ul");
    notices.forEach(notice -> html.element("li", notice));
    html.close().close();
  }

  void openSection(String title, String text) {
    html.open("section");
    html.element("h2", title);
    html.element("p", text, "class", "muted");
  }

  void closeSection() {
    html.close();
  }

  void legend(Lanes lanes) {
    for (String writer : lanes.named()) {
      key("w" + lanes.of(writer), writer);
    }
    if (lanes.others() > 0) {
      key("w" + lanes.count(), Words.count(lanes.others(), "other writer", "other writers"));
    }
  }

  void key(String style, String name) {
    html.open("span", "class", "key");
    html.open("i", "class", style).close();
    html.text(name);
    html.close();
  }

  void head(String... names) {
    html.open("table").open("thead").open("tr");
    for (String name : names) {
      html.element("th", name);
    }
    html.close().close().open("tbody");
  }

  void row(String... cells) {
    html.open("tr");
    for (String cell : cells) {
      html.element("td", cell);
    }
    html.close();
  }

  void closeTable() {
    html.close().close();
  }

  private static String style() {
    try {
      return Resources.toString(
          Resources.getResource(Page.class, "page.css"), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the page's style from the class path", e);
    }
  }
}
