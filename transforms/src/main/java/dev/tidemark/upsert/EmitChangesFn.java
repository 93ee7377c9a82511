package dev.tidemark.upsert;

import dev.tidemark.candidates.KeyedChanges;
import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.change.LogPosition;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;

/** Turns what a batch emits into changes; a row that is not emitted is not decoded. */
final class EmitChangesFn extends DoFn<MaterializedBatch, Change> {
  private final RowEncoding rows;

  EmitChangesFn(RowEncoding rows) {
    this.rows = rows;
  }

  @ProcessElement
  public void process(@Element MaterializedBatch batch, OutputReceiver<Change> out) {
    KeyedChanges changes = batch.changes();
    for (int i = 0; i < changes.size(); i++) {
      ChangeKind kind = batch.kind(i);
      if (kind != null) {
        Change change = Change.of(kind, row(batch, i));
        LogPosition position = ChangeContext.position(changes, i);
        out.outputWithTimestamp(
            position == null ? change : change.withPosition(position),
            Instant.ofEpochMilli(ChangeContext.timestampMillis(changes, i)));
      }
    }
  }

  private Row row(MaterializedBatch batch, int index) {
    byte[] retained = batch.retained(index);
    KeyedChanges changes = batch.changes();
    return retained == null
        ? rows.decode(changes.data(), changes.payloadOffset(index), changes.payloadLength(index))
        : rows.decode(retained);
  }
}
