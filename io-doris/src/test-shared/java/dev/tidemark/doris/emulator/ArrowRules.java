package dev.tidemark.doris.emulator;

/**
 * What differs between versions of Doris in reading Arrow.
 *
 * @param jsonFromText whether JSON and VARIANT columns take texts, as only recent backends do
 */
record ArrowRules(ColumnMatching matching, DatetimeBehaviour datetimes, boolean jsonFromText) {}
