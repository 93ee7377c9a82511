package dev.tidemark.doris;

/**
 * Writes rows, changes and batches of changes to Apache Doris as Arrow, over its stream load
 * protocol.
 *
 * <pre>{@code
 * DorisWriteResult result =
 *     changes.apply(
 *         DorisIO.write()
 *             .withFrontends("fe1:8030", "fe2:8030")
 *             .withUser("loader")
 *             .withPassword(password)
 *             .to(DorisTable.of("shop", "orders").withKey("order_id"))
 *             .withLabelPrefix("orders-eu"));
 * result.loads().apply(...);
 * }</pre>
 *
 * <p>The package documentation says what is guaranteed, and which metrics to watch.
 */
public final class DorisIO {
  private DorisIO() {}

  /**
   * Writes a collection of {@code Row} (with a schema), {@link dev.tidemark.change.Change} (with a
   * {@link dev.tidemark.change.ChangeCoder}) or {@link dev.tidemark.arrow.ChangeBatch}. Frontends,
   * user, password, table and label prefix are required.
   */
  public static DorisWrite write() {
    return DorisWrite.create();
  }
}
