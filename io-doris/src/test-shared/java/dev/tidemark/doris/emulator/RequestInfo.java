package dev.tidemark.doris.emulator;

import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A request that the emulator got.
 *
 * @param server {@code fe}, or {@code be} and its number
 * @param path with the query
 * @param headers by name in lower case, without the credentials
 * @param bodyBytes how much of the body was read
 * @param label of the load or of the transaction, or null
 * @param fault the kind of the fault that met it, or null
 */
public record RequestInfo(
    String server,
    String method,
    String path,
    Map<String, String> headers,
    long bodyBytes,
    @Nullable String label,
    @Nullable String fault) {}
