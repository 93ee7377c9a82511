package dev.tidemark.doris.emulator;

import java.time.Clock;
import java.time.Duration;

/** How the emulated cluster behaves. */
record Settings(
    String user,
    String password,
    Clock clock,
    ArrowRules arrow,
    EqualKeys equalKeys,
    Duration precommitLifetime,
    Duration labelRetention,
    Duration publishDelay,
    long maxBodyBytes,
    int maxRunningTransactions,
    long firstTransactionId,
    boolean dropLabelOfChunked,
    boolean twoPhaseUnsupported,
    boolean discardRows,
    boolean keepBodies) {}
