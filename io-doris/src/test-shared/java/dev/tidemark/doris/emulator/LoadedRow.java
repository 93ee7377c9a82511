package dev.tidemark.doris.emulator;

import java.util.List;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A row that passed the checks of a load.
 *
 * @param values by column of the table
 * @param sequence what decides between rows of one key, or null
 * @param written the columns that a partial update has values for, or null for all
 */
record LoadedRow(
    List<@Nullable Object> values,
    boolean deleted,
    @Nullable Object sequence,
    java.util.@Nullable BitSet written) {}
