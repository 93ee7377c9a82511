package dev.tidemark.commit;

import static dev.tidemark.commit.CommitFixture.TABLE;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assume.assumeThat;

import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.types.Types;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Property writes that must not undo each other. */
@RunWith(Parameterized.class)
public final class FencedPropertiesTest {
  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return CatalogKind.values();
  }

  @Rule public final CommitFixture fixture;

  public FencedPropertiesTest(CatalogKind kind) {
    this.fixture = new CommitFixture(kind);
  }

  private static PropertyChange increment(TableMetadata base) {
    int value = Integer.parseInt(base.properties().getOrDefault("counter", "0"));
    return PropertyChange.builder().set("counter", Integer.toString(value + 1)).build();
  }

  private FencedProperties properties(TableAccess access) {
    return new FencedProperties(access, fixture.clock(), millis -> {});
  }

  @Test
  public void concurrentIncrementIsNotLost() {
    TableAccess real = TableAccess.of(fixture.catalog());
    properties(real).update(TABLE, "main", FencedPropertiesTest::increment);
    FaultyAccess faults =
        fixture
            .faults()
            .then(
                FaultyAccess.after(
                    () -> properties(real).update(TABLE, "main", FencedPropertiesTest::increment)));

    properties(faults).update(TABLE, "main", FencedPropertiesTest::increment);

    assertThat(fixture.properties(), hasEntry("counter", "3"));
  }

  @Test
  public void changeCanRemoveKeys() {
    fixture.table().updateProperties().set("old", "x").commit();

    properties(TableAccess.of(fixture.catalog()))
        .update(
            TABLE, "main", base -> PropertyChange.builder().remove("old").set("new", "y").build());

    assertThat(fixture.properties(), hasEntry("new", "y"));
    assertThat(fixture.properties(), not(hasKey("old")));
  }

  @Test
  public void nothingIsWrittenForNoChange() {
    int versions = fixture.versions().size();

    Map<String, String> after =
        properties(TableAccess.of(fixture.catalog())).update(TABLE, "main", base -> null);

    assertThat(after, is(fixture.properties()));
    assertThat(fixture.versions(), hasSize(versions));
  }

  /** Why REST is not on the list of catalogs that compare whole metadata. */
  @Test
  public void restLetsAStalePropertyWriteThrough() {
    assumeThat(fixture.kind(), is(CatalogKind.REST));
    TableOperations operations = fixture.operations();
    TableMetadata stale = operations.current();
    fixture.table().updateProperties().set("counter", "2").commit();

    operations.commit(
        stale, TableMetadata.buildFrom(stale).setProperties(Map.of("counter", "1")).build());

    assertThat(fixture.properties(), hasEntry("counter", "1"));
  }

  @Test
  public void catalogsThatCompareWholeMetadataAreKnownByTheirOperations() throws Exception {
    TableAccess access = TableAccess.of(fixture.catalog());
    assertThat(
        access.comparesWholeMetadata(access.operations(TABLE)),
        is(fixture.kind() != CatalogKind.REST));
    try (InMemoryCatalog memory = new InMemoryCatalog()) {
      memory.initialize("memory", Map.of());
      memory.createNamespace(Namespace.of("db"));
      memory.createTable(
          TABLE, new Schema(List.of(Types.NestedField.required(1, "id", Types.LongType.get()))));
      TableAccess inMemory = TableAccess.of(memory);
      assertThat(inMemory.comparesWholeMetadata(inMemory.operations(TABLE)), is(true));
    }
  }
}
