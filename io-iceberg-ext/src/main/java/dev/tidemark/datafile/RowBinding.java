package dev.tidemark.datafile;

/** Proof that rows of one Beam schema can be written to one Iceberg schema, with the way how. */
public final class RowBinding {
  RowBinding() {}
}
