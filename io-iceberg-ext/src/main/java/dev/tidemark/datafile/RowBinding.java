package dev.tidemark.datafile;

import org.apache.beam.sdk.schemas.Schema;

/** Proof that rows of one Beam schema can be written to one Iceberg schema, with the way how. */
public final class RowBinding {
  private final Schema from;
  private final org.apache.iceberg.Schema to;
  private final ColumnPlan.Struct plan;

  RowBinding(Schema from, org.apache.iceberg.Schema to, ColumnPlan.Struct plan) {
    this.from = from;
    this.to = to;
    this.plan = plan;
  }

  /** The schema of the rows. */
  public Schema from() {
    return from;
  }

  /** The schema of the table. */
  public org.apache.iceberg.Schema to() {
    return to;
  }

  ColumnPlan.Struct plan() {
    return plan;
  }
}
