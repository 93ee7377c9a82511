package dev.tidemark.peers;

/** The types of columns that changelogs here have. All are nullable. */
enum ColumnType {
  INT,
  BIGINT,
  DOUBLE,
  STRING
}
