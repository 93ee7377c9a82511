package dev.tidemark.peers;

import dev.tidemark.change.ChangeKind;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.table.data.RowData;

/** The operator of a Flink release, fed one change at a time. */
final class ReleasedMaterializer implements AutoCloseable {
  private static final MemorySize MEMORY = MemorySize.ofMebiBytes(64);

  private final Setting setting;
  private final StateBackend backend;
  private final BinaryRows rows;
  private KeyedOneInputStreamOperatorTestHarness<RowData, RowData, RowData> harness;
  private long checkpoint = 1;
  private long millis;

  private ReleasedMaterializer(Setting setting, StateBackend backend) throws Exception {
    this.setting = setting;
    this.backend = backend;
    this.rows = new BinaryRows(setting.columns());
    this.harness = ReleasedOperators.harness(setting, backend);
    harness.setup(rows.serializer());
    harness.open();
  }

  static ReleasedMaterializer open(Setting setting) throws Exception {
    return new ReleasedMaterializer(
        setting,
        switch (setting.backend()) {
          case HEAP -> new HashMapStateBackend();
          case ROCKSDB -> ReleasedOperators.rocksDb(MEMORY);
        });
  }

  /** Takes a change; an exception of the operator is an outcome. */
  Outcome process(ChangeKind kind, Cells row) {
    try {
      harness.processElement(new StreamRecord<>(rows.binary(kind, row)));
    } catch (Exception e) {
      harness.getOutput().clear();
      return Outcome.failed(e);
    }
    StreamRecord<?> emitted = (StreamRecord<?>) harness.getOutput().poll();
    if (!harness.getOutput().isEmpty()) {
      throw new IllegalStateException("Cannot compare: a change emitted more than one row.");
    }
    return emitted == null ? Outcome.NOTHING : rows.outcome((RowData) emitted.getValue());
  }

  /** Goes on in a new operator with a snapshot of this one. */
  void restore() throws Exception {
    OperatorSubtaskState snapshot = harness.snapshot(checkpoint, checkpoint);
    checkpoint++;
    harness.close();
    harness = ReleasedOperators.harness(setting, backend);
    harness.setup(rows.serializer());
    harness.setStateTtlProcessingTime(millis);
    harness.initializeState(snapshot);
    harness.open();
  }

  /** Sets the clock of the time to live. */
  void setMillis(long millis) {
    this.millis = millis;
    harness.setStateTtlProcessingTime(millis);
  }

  @Override
  public void close() {
    try {
      harness.close();
    } catch (Exception e) {
      throw new IllegalStateException("Cannot close the released operator.", e);
    }
  }
}
