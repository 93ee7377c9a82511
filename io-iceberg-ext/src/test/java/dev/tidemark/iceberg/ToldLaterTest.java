package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDER;
import static dev.tidemark.iceberg.Warehouse.order;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasEntry;

import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Catalog and table may be told when the pipeline runs, and are not read before. */
@RunWith(JUnit4.class)
public class ToldLaterTest {
  private static final String TABLE = "db.orders";
  private static volatile Thread launcher;

  @Rule public final transient Warehouse warehouse = new Warehouse();
  @Rule public final transient TestPipeline pipeline = Pipelines.onOneThread();

  /** A value for workers: the thread that launches the pipeline fails if it reads it. */
  private record Told<T>(String name, T value) implements ValueProvider<T> {
    @Override
    public T get() {
      if (Thread.currentThread() == launcher) {
        throw new AssertionError(name + " is read before the workers run");
      }
      return value;
    }

    @Override
    public boolean isAccessible() {
      return Thread.currentThread() != launcher;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private WriteRows write() {
    launcher = Thread.currentThread();
    return warehouse
        .write()
        .withCatalog(new Told<>("the catalog", warehouse.config()))
        .to(new Told<>("the table", TABLE));
  }

  @Test
  public void rowsGoToTheTableThatIsTold() {
    warehouse.create(TABLE, ORDER);
    pipeline
        .apply(Create.of(order(1, "2024-05-01T10:00:00Z", "eu")).withRowSchema(ORDER))
        .apply(write());
    pipeline.run();
    assertThat(warehouse.orders(TABLE), contains(order(1, "2024-05-01T10:00:00Z", "eu")));
  }

  @Test
  public void displayDataShowTheNameOfTheTable() {
    assertThat(DisplayItems.of(write()), hasEntry("table", "the table"));
  }
}
