package dev.tidemark.rocksdb;

import dev.tidemark.candidates.CandidateStore;
import dev.tidemark.candidates.CandidateStoreOptions;
import dev.tidemark.change.DebeziumMaterialization;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class DebeziumMaterializationTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private CandidateStore neighbour;

  /** The files of a process are opened once while it has a store, and stay for the next ones. */
  @Before
  public void keepFilesOpen() {
    neighbour = open();
  }

  @After
  public void closeFiles() {
    neighbour.close();
  }

  @Test
  public void primaryKeysGiveTheSourcesTables() {
    DebeziumMaterialization.assertPrimaryKeysGiveTheSourcesTables(this::open);
  }

  @Test
  public void otherKeysGiveTheLatestRows() {
    DebeziumMaterialization.assertOtherKeysGiveTheLatestRows(this::open);
  }

  private CandidateStore open() {
    return new RocksDbCandidateStoreProvider()
        .open(
            CandidateStoreOptions.defaults()
                .withMemoryBytes(CandidateStoreOptions.MIN_MEMORY_BYTES)
                .withDirectory(folder.getRoot().getPath()));
  }
}
