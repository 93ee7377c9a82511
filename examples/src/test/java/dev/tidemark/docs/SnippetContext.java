package dev.tidemark.docs;

import dev.tidemark.arrow.ChangeBatch;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.change.Change;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.change.DebeziumTable;
import dev.tidemark.commit.CommitContext;
import dev.tidemark.doris.DorisWriteResult;
import dev.tidemark.iceberg.IcebergWriteResult;
import dev.tidemark.iceberg.SerializableCommitHook;
import dev.tidemark.merge.MergeSpec;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;

/** What readers of a snippet have before it. Nothing of it runs. */
public abstract class SnippetContext {
  protected String[] args;
  protected String uri;
  protected String servers;
  protected String password;
  protected ValueProvider<String> secret;
  protected IcebergWriteResult result;
  protected List<String> topics;
  protected Pipeline pipeline;
  protected CatalogConfig catalog;
  protected Schema schema;
  protected MergeSpec spec;
  protected DebeziumTable orders;
  protected DebeziumTable customers;
  protected PCollection<Row> rows;
  protected PCollection<DebeziumRecord> records;
  protected PCollection<Change> changes;
  protected PCollection<Change> orderChanges;
  protected PCollection<Change> joined;
  protected PCollection<ChangeBatch> batches;
  protected DorisWriteResult served;
  protected Change change;
  protected Instant timestamp;
  protected long snapshotId;

  protected final void read(long snapshotId) {
    this.snapshotId = snapshotId;
  }

  /** A hook that a reader would write. */
  public static final class MyHook implements SerializableCommitHook {
    @Override
    public void beforeCommit(CommitContext context) {}
  }
}
