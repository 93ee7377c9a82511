package dev.tidemark.commit;

import static dev.tidemark.commit.CommitFixture.request;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Tables made with the defaults. */
@RunWith(Parameterized.class)
public final class NewTableDefaultsTest {
  @Parameters(name = "{0}")
  public static Object[] catalogs() {
    return CatalogKind.values();
  }

  @Rule public final CommitFixture fixture;

  public NewTableDefaultsTest(CatalogKind kind) {
    this.fixture = new CommitFixture(kind);
  }

  @Test
  public void metadataStaysSmallUnlessTheUserSaysOtherwise() {
    Map<String, String> given =
        NewTableDefaults.with(
            fixture.catalog(), Map.of("a", "b", "write.metadata.compression-codec", "none"));

    Map<String, String> expected = new HashMap<>();
    expected.put("a", "b");
    expected.put("write.metadata.compression-codec", "none");
    if (fixture.kind() != CatalogKind.HADOOP) {
      expected.put("write.metadata.delete-after-commit.enabled", "true");
    }
    assertThat(given, is(expected));
  }

  @Test
  public void attemptThatLandsManyVersionsLateIsRefused() {
    fixture.createTable(
        NewTableDefaults.with(
            fixture.catalog(), Map.of("write.metadata.previous-versions-max", "1")));
    fixture.commit(fixture.result(1));
    FaultyAccess faults = fixture.faults();
    faults.then(faults.late(new CommitStateUnknownException(new IllegalStateException("lost"))));
    fixture.protocol(faults).commit(request(fixture.result(2)), List.of());
    for (int i = 3; i <= 6; i++) {
      fixture.commit(fixture.result(i));
    }

    List<RuntimeException> refused = faults.land();

    assertThat(refused, hasSize(1));
    assertThat(fixture.livePaths(), hasSize(6));
  }
}
