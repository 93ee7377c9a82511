package dev.tidemark.doris.emulator;

/** Reads the body of a load by its format. */
final class BodyReader {

  private final LoadPlan plan;
  private final RequestHead head;
  private final Settings settings;

  BodyReader(LoadPlan plan, RequestHead head, Settings settings) {
    this.plan = plan;
    this.head = head;
    this.settings = settings;
  }

  /** What a body has for the table. */
  LoadedContent read(byte[] body)
      throws LoadFailedException, RefusedException, RejectedRowsException {
    RowCollector rows = new RowCollector(plan, !settings.discardRows(), settings.equalKeys());
    if (plan.format().equals("arrow")) {
      if (head.header("content-encoding") != null) {
        throw new RefusedException(
            "An Arrow body has a content encoding, which a backend does not undo. Send it as it"
                + " is");
      }
      new ArrowBody(plan, rows, settings.arrow()).read(body);
    } else {
      TextBodies bodies = new TextBodies(plan, head, rows);
      byte[] unpacked = bodies.unpack(body);
      if (plan.format().equals("json")) {
        bodies.readJson(unpacked);
      } else {
        bodies.readCsv(unpacked);
      }
    }
    if (rows.tooManyFiltered()) {
      throw new RejectedRowsException(rows);
    }
    return new LoadedContent(rows, body, settings.keepBodies());
  }
}
