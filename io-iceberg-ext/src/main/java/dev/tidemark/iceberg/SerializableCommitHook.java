package dev.tidemark.iceberg;

import dev.tidemark.commit.CommitHook;
import java.io.Serializable;

/**
 * A {@link CommitHook} that travels with the pipeline. Several threads may run it for several
 * tables.
 */
public interface SerializableCommitHook extends CommitHook, Serializable {}
