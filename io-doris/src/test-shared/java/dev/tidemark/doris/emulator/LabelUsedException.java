package dev.tidemark.doris.emulator;

/** A label that a transaction has already, which is not aborted. */
final class LabelUsedException extends Exception {

  private final TransactionState state;

  LabelUsedException(String label, long txnId, TransactionState state) {
    super(
        "[LABEL_ALREADY_EXISTS]TStatus: errCode = 2, detailMessage = Label ["
            + label
            + "] has already been used, relate to txn ["
            + txnId
            + "], status ["
            + state
            + "].");
    this.state = state;
  }

  /** As the answer to a load has it. */
  String existingJobStatus() {
    return switch (state) {
      case PREPARE -> "RUNNING";
      case PRECOMMITTED -> "PRECOMMITTED";
      default -> "FINISHED";
    };
  }
}
