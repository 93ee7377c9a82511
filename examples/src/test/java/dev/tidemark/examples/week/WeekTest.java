package dev.tidemark.examples.week;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.is;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Four writers through simulated days: a week in the long form, two days in the short one. */
@RunWith(JUnit4.class)
public class WeekTest {
  private static final int DAYS = Boolean.getBoolean("tidemark.long") ? 7 : 2;

  @Rule public final TemporaryFolder temp = new TemporaryFolder();

  @Test
  public void hoursFinalizeInOrderAndNoneGetsAnUnreportedRow() throws Exception {
    Scenario scenario = new Scenario(DAYS);

    Path warehouse = temp.newFolder().toPath();
    Week week = Week.run(scenario, warehouse, hour -> {});

    assertThat(week.audit().violations(), is(empty()));
    assertThat(WeekReports.failed(), is(empty()));
    assertThat("crashes", CrashPlan.done(), is(DAYS));
    assertThat("restores", week.restores(), is(DAYS));
    assertThat("late rows", week.audit().late(), greaterThan(0L));
    // Behind by the lookback, a plateau after a late change, or the time until a writer is idle.
    Long last = week.staircase().watermarkAt(scenario.hours());
    assertThat(last, greaterThanOrEqualTo(Scenario.endOf(scenario.hours() - 12)));
    assertDrawn(scenario, week.staircase());
    new WeekFigures(week.table(), warehouse).check();
  }

  private void assertDrawn(Scenario scenario, Staircase staircase) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StaircaseText.print(scenario, staircase, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    String text = bytes.toString(StandardCharsets.UTF_8);
    System.out.print(text);
    assertThat(
        "late marks", text.lines().filter(line -> line.contains("!")).count(), greaterThan(1L));
    assertThat("steps", staircase.steps().size(), greaterThan(5 * DAYS));

    Path svg = temp.newFile().toPath();
    StaircaseSvg.write(scenario, staircase, svg);
    assertThat(
        "bars",
        Files.readString(svg)
            .lines()
            .filter(line -> line.contains("stroke-opacity=\"0.75\""))
            .count(),
        is((long) staircase.commits().size()));
  }
}
