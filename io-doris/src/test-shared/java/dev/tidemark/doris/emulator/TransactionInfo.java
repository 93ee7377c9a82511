package dev.tidemark.doris.emulator;

import java.time.Instant;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A transaction as it is at one moment.
 *
 * @param twoPhase whether it was to be pre-committed first
 * @param rows how many rows it loads
 * @param bytes how long its body was
 * @param contentSha256 of the body without the framing of chunks, in hexadecimal; empty before it
 *     was read
 * @param precommitted when it was pre-committed, or null
 * @param finished when it was committed or aborted, or null
 * @param reason why it was aborted, or empty
 */
public record TransactionInfo(
    long txnId,
    String database,
    String table,
    String label,
    boolean twoPhase,
    TransactionState state,
    long rows,
    long bytes,
    String contentSha256,
    Instant begun,
    @Nullable Instant precommitted,
    @Nullable Instant finished,
    String reason) {}
