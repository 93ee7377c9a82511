package dev.tidemark.eventtime;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.lessThan;

import java.util.Arrays;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class CentroidListTest {
  private static final long HOUR = EventTimeSketch.HOUR_MILLIS;
  private static final int BATCHES = 12;

  @Test
  public void mergingRecordsAtOnceGivesWhatCompressingTheUnionGives() {
    EventTimes.ALL.forEach(
        (name, times) -> {
          CentroidList merged = new CentroidList(0);
          long total = 0;
          for (int batch = 0; batch < BATCHES; batch++) {
            long[] records = times.apply(1 + 400 * batch, (long) batch);
            Arrays.sort(records);
            total += records.length;
            CentroidList union =
                CentroidList.union(
                    merged.meansArray(), merged.weightsArray(), records, ones(records.length));
            union.compress(SketchReducer.fineGrouping(total, HOUR));

            CentroidList next = new CentroidList(0);
            next.setMerged(
                merged, records, records.length, SketchReducer.fineGrouping(total, HOUR));

            assertThat(name, next.meansArray(), equalTo(union.meansArray()));
            assertThat(name, next.weightsArray(), equalTo(union.weightsArray()));
            merged = next;
          }
          assertThat(name, Arrays.stream(merged.weightsArray()).sum(), equalTo(total));
        });
  }

  @Test
  public void neighboursMergeButNotAcrossBoundaries() {
    long[] records = EventTimes.uniform(20_000, 3, 5 * HOUR);
    Arrays.sort(records);
    CentroidList merged = new CentroidList(0);
    merged.setMerged(
        new CentroidList(0),
        records,
        records.length,
        SketchReducer.fineGrouping(records.length, HOUR));

    assertThat(merged.size, lessThan(1_000));
    assertThat(merged.size, greaterThan(500));
    for (long boundary = records[0] / HOUR * HOUR; boundary <= EventTimes.NOW; boundary += HOUR) {
      long at = boundary;
      long below = 0;
      for (int i = 0; i < merged.size && merged.means[i] < at; i++) {
        below += merged.weights[i];
      }
      assertThat(below, equalTo(Arrays.stream(records).filter(record -> record < at).count()));
    }
  }

  private static long[] ones(int size) {
    long[] ones = new long[size];
    Arrays.fill(ones, 1);
    return ones;
  }
}
