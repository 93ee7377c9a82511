package dev.tidemark.commit;

import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;

/** Knows what a table holds of a writer: by sequence for streams, by token for batches. */
interface Ledger {
  /** Where the record is stored. */
  PropertyChunks chunks();

  /** What the summary of a commit of these results says it holds. */
  String committedText(Iterable<WriterResult> results);

  /**
   * What the base lacks.
   *
   * @throws CommitException if it shows that these results must not be committed
   */
  CommitPlan plan(TableMetadata base, Lineage lineage, FileIO io);
}
