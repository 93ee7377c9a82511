package dev.tidemark.action;

import java.io.Serializable;
import java.util.function.Supplier;
import org.apache.iceberg.Table;

/**
 * Is told where the watermark of a table is, beside the pipeline: on a thread of the listener's
 * own, which neither commits nor advances wait for.
 *
 * <p>At least once for the newest watermark: notices of one table come in order, a notice that
 * waits is replaced by a newer one, one that fails is tried again, and the first look of a process
 * at a table tells where its watermark is already. A listener must therefore be idempotent; {@link
 * AdvanceNotice#id} tells repetitions.
 */
@FunctionalInterface
public interface AdvanceListener extends Serializable {
  /**
   * Takes a notice.
   *
   * @param table loads the table, as it is now; a name may stand for another table by now
   * @throws PermanentFailureException if trying again does not help
   * @throws Exception if it may help
   */
  void advanced(AdvanceNotice notice, Supplier<Table> table) throws Exception;

  /** Logs each move. */
  static AdvanceListener logging() {
    return LogAdvance.INSTANCE;
  }

  /** Posts each notice to a receiver. */
  static AdvanceListener webhook(Webhook webhook) {
    return new WebhookAdvance(webhook);
  }
}
