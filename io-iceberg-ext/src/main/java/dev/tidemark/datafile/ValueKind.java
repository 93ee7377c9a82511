package dev.tidemark.datafile;

/** The ways in which a value of a row becomes a value of a column. */
enum ValueKind {
  BOOLEAN,
  BYTE,
  SHORT,
  INT,
  LONG,
  FLOAT,
  FLOAT_TO_DOUBLE,
  DOUBLE,
  DECIMAL,
  DATE,
  TIME,
  LOCAL_DATE_TIME,
  INSTANT,
  JODA_INSTANT,
  STRING,
  ENUM_NAME,
  BYTES,
  UUID
}
