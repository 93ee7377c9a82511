package dev.tidemark.candidates;

import dev.tidemark.candidates.testing.InMemoryCandidateStore;
import dev.tidemark.change.DebeziumMaterialization;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class DebeziumMaterializationTest {
  @Test
  public void primaryKeysGiveTheSourcesTables() {
    DebeziumMaterialization.assertPrimaryKeysGiveTheSourcesTables(InMemoryCandidateStore::create);
  }

  @Test
  public void otherKeysGiveTheLatestRows() {
    DebeziumMaterialization.assertOtherKeysGiveTheLatestRows(InMemoryCandidateStore::create);
  }
}
