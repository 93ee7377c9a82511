package dev.tidemark.examples.reference;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.oneOf;

import dev.tidemark.examples.reference.MetricTable.Metric;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The committed page is that of the code, and the page is not short of anything. */
@RunWith(JUnit4.class)
public class ReferencePageTest {
  private static final Path ROOT = Path.of("..");

  @Test
  public void pageIsThatOfTheCode() throws Exception {
    assertThat(
        "Run examples/templates.sh",
        Files.readString(ROOT.resolve(ReferencePage.PAGE)),
        is(ReferencePage.page(ROOT)));
  }

  @Test
  public void metricsAreInTheThreeGroupsAndInTheManual() throws Exception {
    String manual = Files.readString(ROOT.resolve("docs/reference-metrics.md"));
    List<Metric> metrics = MetricTable.metrics(ROOT);
    assertThat(metrics.size(), greaterThan(80));
    for (Metric metric : metrics) {
      assertThat(
          metric.toString(), metric.group(), is(oneOf("volume", "tripwires", "input health")));
      assertThat(manual, containsString("`" + metric.name() + "`"));
    }
  }

  @Test
  public void exitCodesAndKeysAreOnThePage() throws Exception {
    String page = ReferencePage.page(ROOT);
    for (String code : List.of("0", "1", "2", "3", "4", "5")) {
      assertThat(page, containsString("\n  " + code + "   "));
    }
    for (String key :
        List.of(
            "tidemark.finalized-until",
            "tidemark.committed.<writer>",
            "tidemark.event-time.<fact>",
            "tidemark.acc.<entry>")) {
      assertThat(page, containsString("| `" + key + "` | "));
    }
  }
}
