package dev.tidemark.peers;

import com.google.common.collect.ImmutableList;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.ChangeKind;
import dev.tidemark.examples.benchmarks.materializer.Contestant;
import dev.tidemark.examples.benchmarks.materializer.Measurement;
import dev.tidemark.examples.benchmarks.materializer.RowChange;
import dev.tidemark.examples.benchmarks.materializer.Workload;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.table.data.RowData;

/**
 * The released operators on Flink's RocksDB backend, as contestants.
 *
 * <p>Rows are prepared as the binary rows that Flink's exchange gives. Measured are: to set the
 * current key, and the operator. Not measured: what becomes of the rows that are emitted.
 */
final class ReleasedMaterializers implements Contestant {
  private static final ImmutableList<ColumnType> COLUMNS =
      ImmutableList.of(ColumnType.INT, ColumnType.BIGINT, ColumnType.STRING, ColumnType.BIGINT);

  private final int payloadLength;
  private final CountingOutput output = new CountingOutput();
  private final BinaryRows rows = new BinaryRows(COLUMNS);
  private final List<StreamRecord<RowData>> prepared = new ArrayList<>();
  private final KeyedOneInputStreamOperatorTestHarness<RowData, RowData, RowData> harness;

  private ReleasedMaterializers(int payloadLength, Setting setting, MemorySize memory)
      throws Exception {
    this.payloadLength = payloadLength;
    this.harness = ReleasedOperators.harness(setting, ReleasedOperators.rocksDb(memory));
    harness.setOutputCreator(serializer -> output);
    harness.setup(rows.serializer());
    harness.setCheckpointStorage(
        new FileSystemCheckpointStorage(
            Files.createTempDirectory("materializer-checkpoint").toUri()));
    harness.open();
  }

  /**
   * Runs one workload.
   *
   * @param args workload, length of payloads, factor of rows, memory in MiB, strategy
   */
  public static void main(String[] args) throws Exception {
    int payloadLength = Integer.parseInt(args[1]);
    MemorySize memory = MemorySize.ofMebiBytes(Long.parseLong(args[3]));
    Setting setting =
        new Setting(
            UpsertStrategy.valueOf(args[4].toUpperCase(Locale.ROOT)),
            Setting.Backend.ROCKSDB,
            COLUMNS,
            ImmutableList.of(0),
            ImmutableList.of(1),
            null,
            0);
    Measurement.run(
        Workload.ofLabel(args[0]),
        Double.parseDouble(args[2]),
        () -> new ReleasedMaterializers(payloadLength, setting, memory));
  }

  @Override
  public void prepare(RowChange change) {
    ChangeKind kind = change.kind();
    Cells row =
        Cells.of(
            change.key(),
            change.upsertKey(),
            change.payload(payloadLength),
            (long) change.version());
    prepared.add(new StreamRecord<>(rows.binary(kind, row)));
  }

  @Override
  public void process() throws Exception {
    for (StreamRecord<RowData> row : prepared) {
      harness.processElement(row);
    }
    prepared.clear();
  }

  @Override
  public void finish() {}

  @Override
  public long emitted() {
    return output.rows();
  }

  /** RocksDB's files are checkpointed as they are: compressed, and with what is out of date. */
  @Override
  public long stateBytes() throws Exception {
    return harness.snapshot(1, 1).getStateSize();
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
