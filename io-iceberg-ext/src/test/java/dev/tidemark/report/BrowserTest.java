package dev.tidemark.report;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.junit.Assume.assumeTrue;

import dev.tidemark.sensor.SensorTable;
import java.awt.image.BufferedImage;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** A report as a browser without a network shows it; skipped where there is no chromium. */
@RunWith(JUnit4.class)
public final class BrowserTest {
  private static final int WIDTH = 1240;
  private static final int HEIGHT = 1000;
  private static final int LATE = 0xD3262B;
  private static final int FINAL = 0x9CC9E6;
  private static final int BACK = 0xFFFFFF;

  @Rule public final SensorTable table = new SensorTable(SensorTable.Kind.HADOOP);

  private static @Nullable Path browser() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .flatMap(
            folder ->
                Stream.of("chromium", "chromium-browser", "google-chrome")
                    .map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  @Test
  public void pageIsDrawnInColourWithoutANetwork() throws Exception {
    Path browser = browser();
    assumeTrue("there is no chromium", browser != null);
    Path folder = table.newFolder().toPath();
    Path page = folder.resolve("report.html");
    Path picture = folder.resolve("report.png");
    TableReport report =
        TableReport.of(Past.of(table, 3, 30, 10_000).timeline(), Span.ALL, table.clock().instant());
    Files.writeString(page, report.toHtml(ZoneOffset.UTC));

    Process process =
        new ProcessBuilder(
                List.of(
                    String.valueOf(browser),
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--hide-scrollbars",
                    "--proxy-server=127.0.0.1:9",
                    "--user-data-dir=" + folder.resolve("profile"),
                    "--window-size=" + WIDTH + "," + HEIGHT,
                    "--screenshot=" + picture,
                    page.toUri().toString()))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    boolean ended = process.waitFor(120, TimeUnit.SECONDS);
    process.destroyForcibly();

    assertThat(
        Files.readString(folder.resolve("log")), ended && process.exitValue() == 0, is(true));
    BufferedImage image = ImageIO.read(picture.toFile());
    assertThat(image.getWidth(), is(WIDTH));
    assertThat("background", pixels(image, BACK), greaterThan(WIDTH * HEIGHT / 3));
    assertThat("late rows", pixels(image, LATE), greaterThan(100));
    // The area below the staircase is a thin layer of the colour of final hours.
    assertThat("area", pixels(image, mixed(FINAL, BACK)), greaterThan(5_000));
  }

  private static int mixed(int over, int under) {
    int mixed = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      double part = 0.22 * ((over >> shift) & 0xFF) + 0.78 * ((under >> shift) & 0xFF);
      mixed |= (int) Math.round(part) << shift;
    }
    return mixed;
  }

  /** Pixels of a colour, give or take what blending rounds. */
  private static int pixels(BufferedImage image, int color) {
    int count = 0;
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        int rgb = image.getRGB(x, y);
        boolean near = true;
        for (int shift = 16; shift >= 0; shift -= 8) {
          near &= Math.abs(((rgb >> shift) & 0xFF) - ((color >> shift) & 0xFF)) <= 2;
        }
        count += near ? 1 : 0;
      }
    }
    return count;
  }
}
