package dev.tidemark.doris.emulator;

import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A column of a table.
 *
 * @param hasDefault whether a load may leave it out though it is NOT NULL
 * @param defaultText its default, of which null stands for NULL
 */
record Column(
    String name,
    ColumnType type,
    boolean key,
    boolean nullable,
    boolean hasDefault,
    @Nullable String defaultText,
    String comment) {}
