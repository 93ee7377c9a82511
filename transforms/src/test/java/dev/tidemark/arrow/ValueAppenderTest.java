package dev.tidemark.arrow;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.util.Arrays;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class ValueAppenderTest {
  /** Writes nothing, and takes each value for one as large as values can be. */
  private static final class Largest extends ValueAppender {
    Largest() {
      super("text", Field.nullable("text", ArrowType.Utf8.INSTANCE));
    }

    @Override
    void bind(FieldVector vector) {}

    @Override
    int append(Object value, int index) {
      return Integer.MAX_VALUE;
    }

    @Override
    void setNull(int index) {}
  }

  @Test
  public void bytesOfSomeRowsMayBeMoreThanAnArrayHolds() {
    Object[] values = new Object[16];
    Arrays.fill(values, "text");
    long bytes =
        new Largest()
            .appendAll(
                values,
                0,
                (value, reason) -> {
                  throw reason;
                });
    assertThat(bytes, is(16L * Integer.MAX_VALUE));
  }
}
