package dev.tidemark.doris.emulator;

import com.google.common.hash.Hashing;
import java.util.List;

/** What is known of a load when all its rows are there. */
final class LoadedContent {

  private final RowCollector rows;
  private final byte[] body;
  private final boolean keepBody;
  private final String sha256;

  LoadedContent(RowCollector rows, byte[] body, boolean keepBody) {
    this.rows = rows;
    this.body = body;
    this.keepBody = keepBody;
    this.sha256 = Hashing.sha256().hashBytes(body).toString();
  }

  List<LoadedRow> rows() {
    return rows.rows();
  }

  long total() {
    return rows.total();
  }

  long filtered() {
    return rows.filtered();
  }

  long bytes() {
    return body.length;
  }

  /** The digest by which contents of loads are compared. */
  String sha256() {
    return sha256;
  }

  /** The body, or nothing if bodies are not kept. */
  byte[] keptBody() {
    return keepBody ? body : new byte[0];
  }
}
