package dev.tidemark.upsert;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.io.Serializable;
import org.apache.beam.sdk.schemas.Schema;
import org.checkerframework.checker.nullness.qual.Nullable;

/** How rows and their keys become bytes. */
@AutoValue
abstract class UpsertEncodings implements Serializable {
  UpsertEncodings() {}

  abstract RowEncoding rows();

  abstract KeyEncoding sinkKey();

  /** The input upsert key; null if candidates are found by the whole row. */
  abstract @Nullable KeyEncoding upsertKey();

  static UpsertEncodings of(
      Schema schema, ImmutableList<String> sinkKey, @Nullable ImmutableList<String> upsertKey) {
    return new AutoValue_UpsertEncodings(
        RowEncoding.of(schema),
        KeyEncoding.ofSinkKey(schema, sinkKey),
        upsertKey == null ? null : KeyEncoding.ofUpsertKey(schema, upsertKey));
  }

  /** The columns that each retraction has to tell. */
  ImmutableSet<String> required(ChangeOrder order) {
    ImmutableSet.Builder<String> required = ImmutableSet.builder();
    required.addAll(sinkKey().columns());
    KeyEncoding upsertKey = upsertKey();
    required.addAll(upsertKey == null ? rows().schema().getFieldNames() : upsertKey.columns());
    String column = order.column();
    if (column != null) {
      required.add(column);
    }
    return required.build();
  }

  /** What stored candidates are bound to. */
  String description() {
    KeyEncoding upsertKey = upsertKey();
    return String.join(
        "; ",
        sinkKey().description(),
        upsertKey == null ? "no upsert key" : upsertKey.description(),
        rows().description());
  }
}
