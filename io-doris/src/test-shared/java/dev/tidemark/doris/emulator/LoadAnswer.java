package dev.tidemark.doris.emulator;

import java.util.LinkedHashMap;
import java.util.Map;
import org.checkerframework.checker.nullness.qual.Nullable;

/** The answer of a backend to a load, with its fields in the order of Doris. */
final class LoadAnswer {

  private final long txnId;
  private final String label;
  private final @Nullable String comment;
  private final boolean twoPhase;
  private boolean groupCommit;
  private String status = "Success";
  private @Nullable String existingJobStatus;
  private String message = "OK";
  private long total;
  private long filtered;
  private long bytes;
  private long millis;
  private @Nullable String errorUrl;
  private @Nullable String firstError;

  LoadAnswer(long txnId, String label, @Nullable String comment, boolean twoPhase) {
    this.txnId = txnId;
    this.label = label;
    this.comment = comment;
    this.twoPhase = twoPhase;
  }

  LoadAnswer groupCommit() {
    groupCommit = true;
    return this;
  }

  LoadAnswer fail(String reason) {
    status = "Fail";
    message = reason;
    return this;
  }

  LoadAnswer labelUsed(LabelUsedException e) {
    status = "Label Already Exists";
    existingJobStatus = e.existingJobStatus();
    message = e.getMessage();
    return this;
  }

  LoadAnswer publishTimeout() {
    status = "Publish Timeout";
    message = "[PUBLISH_TIMEOUT]transaction commit successfully, BUT data will be visible later";
    return this;
  }

  LoadAnswer counts(long totalRows, long filteredRows, long loadBytes, long loadMillis) {
    total = totalRows;
    filtered = filteredRows;
    bytes = loadBytes;
    millis = loadMillis;
    return this;
  }

  LoadAnswer errors(String url, String first) {
    errorUrl = url;
    firstError = first;
    return this;
  }

  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("TxnId", txnId);
    fields.put("Label", label);
    fields.put("Comment", comment == null ? "" : comment);
    if (groupCommit) {
      fields.put("GroupCommit", true);
    } else {
      fields.put("TwoPhaseCommit", Boolean.toString(twoPhase));
    }
    fields.put("Status", status);
    if (existingJobStatus != null) {
      fields.put("ExistingJobStatus", existingJobStatus);
    }
    fields.put("Message", message);
    fields.put("NumberTotalRows", total);
    fields.put("NumberLoadedRows", total - filtered);
    fields.put("NumberFilteredRows", filtered);
    fields.put("NumberUnselectedRows", 0);
    fields.put("LoadBytes", bytes);
    fields.put("LoadTimeMs", millis);
    fields.put("BeginTxnTimeMs", 0);
    fields.put("StreamLoadPutTimeMs", 0);
    fields.put("ReadDataTimeMs", millis);
    fields.put("WriteDataTimeMs", millis);
    fields.put("ReceiveDataTimeMs", 0);
    fields.put("CommitAndPublishTimeMs", 0);
    if (errorUrl != null) {
      fields.put("ErrorURL", errorUrl);
    }
    if (firstError != null) {
      fields.put("FirstErrorMsg", firstError);
    }
    return fields;
  }
}
