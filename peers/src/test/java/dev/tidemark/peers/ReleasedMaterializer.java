package dev.tidemark.peers;

import com.google.common.primitives.Ints;
import dev.tidemark.candidates.UpsertStrategy;
import dev.tidemark.change.ChangeKind;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.planner.codegen.CodeGeneratorContext;
import org.apache.flink.table.planner.codegen.EqualiserCodeGenerator;
import org.apache.flink.table.planner.codegen.HashCodeGenerator;
import org.apache.flink.table.planner.plan.utils.KeySelectorUtil;
import org.apache.flink.table.runtime.generated.GeneratedHashFunction;
import org.apache.flink.table.runtime.generated.GeneratedRecordEqualiser;
import org.apache.flink.table.runtime.keyselector.RowDataKeySelector;
import org.apache.flink.table.runtime.operators.sink.SinkUpsertMaterializer;
import org.apache.flink.table.runtime.operators.sink.SinkUpsertMaterializerV2;
import org.apache.flink.table.runtime.sequencedmultisetstate.SequencedMultiSetStateConfig;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.runtime.util.StateConfigUtil;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** The operator of a Flink release, set up as the planner of that release does. */
final class ReleasedMaterializer implements AutoCloseable {
  private static final ClassLoader LOADER = ReleasedMaterializer.class.getClassLoader();

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
    this.harness = harness();
    harness.open();
  }

  static ReleasedMaterializer open(Setting setting) throws Exception {
    return open(
        setting,
        switch (setting.backend()) {
          case HEAP -> new HashMapStateBackend();
          case ROCKSDB -> rocksDb(MemorySize.ofMebiBytes(64), false);
        });
  }

  static ReleasedMaterializer open(Setting setting, StateBackend backend) throws Exception {
    return new ReleasedMaterializer(setting, backend);
  }

  /**
   * RocksDB for one operator.
   *
   * @param memory all of block cache, indexes, filters and write buffers
   * @param incremental whether checkpoints are; the harness restores only those that are not
   */
  static StateBackend rocksDb(MemorySize memory, boolean incremental) {
    Configuration configuration = new Configuration();
    configuration.set(RocksDBOptions.FIX_PER_SLOT_MEMORY_SIZE, memory);
    return new EmbeddedRocksDBStateBackend(incremental).configure(configuration, LOADER);
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
    harness = harness();
    harness.initializeState(snapshot);
    harness.open();
  }

  /** Sets the clock of the time to live. */
  void setMillis(long millis) {
    this.millis = millis;
    harness.setStateTtlProcessingTime(millis);
  }

  /** The operator in its harness, for those who count every microsecond. */
  KeyedOneInputStreamOperatorTestHarness<RowData, RowData, RowData> harnessed() {
    return harness;
  }

  @Override
  public void close() {
    try {
      harness.close();
    } catch (Exception e) {
      throw new IllegalStateException("Cannot close the released operator.", e);
    }
  }

  private KeyedOneInputStreamOperatorTestHarness<RowData, RowData, RowData> harness()
      throws Exception {
    RowType rowType = rows.type();
    RowDataKeySelector selector =
        KeySelectorUtil.getRowDataSelector(
            LOADER, Ints.toArray(setting.sinkKey()), InternalTypeInfo.of(rowType));
    KeyedOneInputStreamOperatorTestHarness<RowData, RowData, RowData> opening =
        new KeyedOneInputStreamOperatorTestHarness<>(
            operator(rowType), selector, selector.getProducedType());
    opening.setStateBackend(backend);
    opening.setup(rows.serializer());
    opening.setStateTtlProcessingTime(millis);
    return opening;
  }

  private OneInputStreamOperator<RowData, RowData> operator(RowType rowType) {
    int[] upsertKey = setting.hasUpsertKey() ? Ints.toArray(setting.upsertKey()) : null;
    RowType keyType = upsertKey == null ? rowType : project(rowType, setting.upsertKey());
    GeneratedRecordEqualiser rowEqualiser =
        new EqualiserCodeGenerator(rowType, LOADER).generateRecordEqualiser("RowEqualiser");
    GeneratedRecordEqualiser keyEqualiser =
        upsertKey == null
            ? null
            : new EqualiserCodeGenerator(keyType, LOADER).generateRecordEqualiser("KeyEqualiser");
    if (setting.strategy() == UpsertStrategy.LEGACY) {
      return SinkUpsertMaterializer.create(
          StateConfigUtil.createTtlConfig(setting.ttlMillis()),
          rowType,
          rowEqualiser,
          keyEqualiser,
          upsertKey);
    }
    return SinkUpsertMaterializerV2.create(
        rowType,
        rowEqualiser,
        keyEqualiser,
        hash(rowType, "RowHash"),
        upsertKey == null ? null : hash(keyType, "KeyHash"),
        upsertKey,
        stateConfig());
  }

  private SequencedMultiSetStateConfig stateConfig() {
    var noTtl = StateConfigUtil.createTtlConfig(0);
    return switch (setting.strategy()) {
      case VALUE -> SequencedMultiSetStateConfig.forValue(TimeDomain.EVENT_TIME, noTtl);
      case MAP -> SequencedMultiSetStateConfig.forMap(TimeDomain.EVENT_TIME, noTtl);
      case ADAPTIVE -> {
        Setting.Thresholds thresholds = setting.thresholds();
        yield SequencedMultiSetStateConfig.adaptive(
            TimeDomain.EVENT_TIME,
            thresholds == null ? null : Long.valueOf(thresholds.high()),
            thresholds == null ? null : Long.valueOf(thresholds.low()),
            noTtl);
      }
      case LEGACY -> throw new IllegalArgumentException("LEGACY has an operator of its own.");
    };
  }

  private static GeneratedHashFunction hash(RowType type, String name) {
    int[] all = new int[type.getFieldCount()];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
    return HashCodeGenerator.generateRowHash(
        new CodeGeneratorContext(new Configuration(), LOADER), type, name, all);
  }

  private static RowType project(RowType type, List<Integer> columns) {
    return RowType.of(columns.stream().map(type::getTypeAt).toArray(LogicalType[]::new));
  }
}
