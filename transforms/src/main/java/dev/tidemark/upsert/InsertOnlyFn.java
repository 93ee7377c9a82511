package dev.tidemark.upsert;

import dev.tidemark.change.Change;
import dev.tidemark.change.ChangeCoder;
import dev.tidemark.change.ChangeKind;
import java.io.IOException;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.TupleTag;

/** Passes inserts; everything else breaks the promise that there is nothing else. */
final class InsertOnlyFn extends DoFn<Change, Change> {
  static final TupleTag<Change> INSERTS = new TupleTag<>("inserts");

  private final ChangeCoder changeCoder;
  private final PackMetrics metrics = new PackMetrics();

  InsertOnlyFn(ChangeCoder changeCoder) {
    this.changeCoder = changeCoder;
  }

  @ProcessElement
  public void process(@Element Change change, MultiOutputReceiver out) throws IOException {
    if (change.kind() == ChangeKind.INSERT) {
      out.get(INSERTS).output(change);
      return;
    }
    metrics.failedChanges.inc();
    out.get(PackFn.FAILED).output(FailedChanges.of(changeCoder, change, problem(change.kind())));
  }

  static String problem(ChangeKind kind) {
    return String.format(
        "it is %s, but the input was declared to be inserts only. Remove withInsertOnly()",
        kind.symbol());
  }
}
