package dev.tidemark.streamload;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Reads the answers of frontends and backends. */
final class Answers {
  private static final int MAX_MESSAGE_CHARACTERS = 1000;

  private static final int MAX_DIGITS = 1000;

  private final Secrets secrets;

  Answers(Secrets secrets) {
    this.secrets = secrets;
  }

  /** The answer to a load. */
  LoadAnswer load(HttpAnswer answer) throws UnreadableAnswer {
    JsonNode json = Json.object(answer, secrets);
    String status = Json.text(json, "Status");
    if (status.isEmpty()) {
      throw new UnreadableAnswer("the answer of " + answer.server() + " has no member Status");
    }
    String errorUrl = Json.text(json, "ErrorURL");
    return LoadAnswer.builder()
        .setStatus(status(status))
        .setTransactionId(Json.number(json, "TxnId", -1))
        .setLabel(Json.text(json, "Label"))
        .setTwoPhase(Json.flag(json, "TwoPhaseCommit"))
        .setExistingJobStatus(Json.text(json, "ExistingJobStatus"))
        .setMessage(message(Json.text(json, "Message")))
        .setTotalRows(Json.number(json, "NumberTotalRows", 0))
        .setLoadedRows(Json.number(json, "NumberLoadedRows", 0))
        .setFilteredRows(Json.number(json, "NumberFilteredRows", 0))
        .setUnselectedRows(Json.number(json, "NumberUnselectedRows", 0))
        .setLoadBytes(Json.number(json, "LoadBytes", 0))
        .setLoadMillis(Json.number(json, "LoadTimeMs", 0))
        .setErrorUrl(errorUrl.isEmpty() ? null : Secrets.withoutUser(errorUrl))
        .setFirstError(message(Json.text(json, "FirstErrorMsg")))
        .build();
  }

  private LoadStatus status(String text) throws UnreadableAnswer {
    return switch (text) {
      case "Success" -> LoadStatus.SUCCESS;
      case "Publish Timeout" -> LoadStatus.PUBLISH_TIMEOUT;
      case "Label Already Exists" -> LoadStatus.LABEL_ALREADY_EXISTS;
      case "Fail" -> LoadStatus.FAIL;
      default ->
          throw new UnreadableAnswer("its Status is of no known kind: " + secrets.scrub(text, 40));
    };
  }

  /** The message of an answer that is not one to a load: by which a server declines. */
  String declined(HttpAnswer answer) throws UnreadableAnswer {
    JsonNode json = Json.object(answer, secrets);
    String text = Json.text(json, "msg");
    if (text.isEmpty()) {
      text = Json.text(json, "Message");
    }
    JsonNode data = json.path("data");
    // Some versions put the reason here, and a bare "Internal Error" into the message.
    String detail = data.isTextual() ? data.textValue() : "";
    return message(detail.isEmpty() ? text : text + ": " + detail);
  }

  /** Whether an answer is one to a load, as only a backend gives. */
  static boolean isLoad(HttpAnswer answer) {
    return answer.text().contains("\"Status\"") && answer.text().contains("\"TxnId\"");
  }

  /** The answer to a commit or abort. */
  TransactionAnswer transaction(HttpAnswer answer, @Nullable Long id) throws UnreadableAnswer {
    JsonNode json = Json.object(answer, secrets);
    String status = Json.text(json, "status");
    String message = declined(answer);
    if (status.isEmpty() && message.isEmpty()) {
      throw new UnreadableAnswer(
          "the answer of " + answer.server() + " has neither a status nor a message");
    }
    return TransactionAnswer.of(
        status.equalsIgnoreCase("Success")
            ? TransactionAnswer.Outcome.DONE
            : Messages.transaction(message, id),
        message);
  }

  /** What a frontend says of a label, or null with a message if it declines. */
  LabelState labelState(HttpAnswer answer) throws UnreadableAnswer {
    JsonNode json = Json.object(answer, secrets);
    String state = Json.text(json, "data");
    if (state.isEmpty()) {
      // Before 2.0 in a member of its own.
      state = Json.text(json, "state");
    }
    for (LabelState known : LabelState.values()) {
      if (known.name().equals(state)) {
        return known;
      }
    }
    throw new UnreadableAnswer(
        "the label's state is of no known kind: "
            + (state.isEmpty() ? declined(answer) : secrets.scrub(state, 80)));
  }

  /** The schema of a table. */
  TableSchema schema(HttpAnswer answer, String database, String table) throws UnreadableAnswer {
    JsonNode json = Json.object(answer, secrets);
    JsonNode data = json.path("data").isObject() ? json.path("data") : json;
    JsonNode properties = data.path("properties");
    if (!properties.isArray() || properties.isEmpty()) {
      throw new UnreadableAnswer("it lists no columns; its message is: " + declined(answer));
    }
    List<TableColumn> columns = new ArrayList<>();
    for (JsonNode column : properties) {
      columns.add(column(column));
    }
    return TableSchema.of(database, table, keysType(Json.text(data, "keysType")), columns);
  }

  private KeysType keysType(String text) throws UnreadableAnswer {
    for (KeysType known : KeysType.values()) {
      if (known.name().equals(text)) {
        return known;
      }
    }
    throw new UnreadableAnswer("its keysType is of no known kind: " + secrets.scrub(text, 40));
  }

  private static TableColumn column(JsonNode column) throws UnreadableAnswer {
    String name = Json.text(column, "name");
    String type = Json.text(column, "type");
    if (name.isEmpty() || type.isEmpty()) {
      throw new UnreadableAnswer("a column has no name or no type");
    }
    return TableColumn.of(
        name,
        type.toUpperCase(Locale.ROOT),
        digits(column, "precision"),
        digits(column, "scale"),
        nullable(column),
        Json.text(column, "aggregation_type"));
  }

  private static @Nullable Integer digits(JsonNode column, String member) throws UnreadableAnswer {
    if (column.path(member).isTextual() && column.path(member).textValue().isEmpty()) {
      return null;
    }
    long digits = Json.number(column, member, -1);
    boolean told = digits >= 0 && digits <= MAX_DIGITS;
    return told ? Integer.valueOf((int) digits) : null;
  }

  private static @Nullable Boolean nullable(JsonNode column) throws UnreadableAnswer {
    JsonNode value = column.path("is_nullable");
    if (value.isTextual() && value.textValue().equalsIgnoreCase("yes")) {
      return true;
    }
    if (value.isTextual() && value.textValue().equalsIgnoreCase("no")) {
      return false;
    }
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    return Json.flag(column, "is_nullable");
  }

  private String message(String text) {
    return secrets.scrub(text, MAX_MESSAGE_CHARACTERS);
  }
}
