package dev.tidemark.peers;

import com.google.common.primitives.Ints;
import dev.tidemark.candidates.UpsertStrategy;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
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

/** Sets released operators up as the planner of their release does. */
final class ReleasedOperators {
  private static final ClassLoader LOADER = ReleasedOperators.class.getClassLoader();

  private ReleasedOperators() {}

  /**
   * The operator of a setting in a harness that is still to be set up with the serializer of rows:
   * without it, rows that are emitted go through Kryo, which fails.
   */
  static KeyedOneInputStreamOperatorTestHarness<RowData, RowData, RowData> harness(
      Setting setting, StateBackend backend) throws Exception {
    RowType rowType = new BinaryRows(setting.columns()).type();
    RowDataKeySelector selector =
        KeySelectorUtil.getRowDataSelector(
            LOADER, Ints.toArray(setting.sinkKey()), InternalTypeInfo.of(rowType));
    KeyedOneInputStreamOperatorTestHarness<RowData, RowData, RowData> harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            operator(setting, rowType), selector, selector.getProducedType());
    harness.setStateBackend(backend);
    return harness;
  }

  /**
   * RocksDB for one operator, with checkpoints that are not incremental: the harness restores no
   * others.
   *
   * @param memory all of block cache, indexes, filters and write buffers
   */
  static StateBackend rocksDb(MemorySize memory) {
    Configuration configuration = new Configuration();
    configuration.set(RocksDBOptions.FIX_PER_SLOT_MEMORY_SIZE, memory);
    return new EmbeddedRocksDBStateBackend(false).configure(configuration, LOADER);
  }

  private static OneInputStreamOperator<RowData, RowData> operator(
      Setting setting, RowType rowType) {
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
        stateConfig(setting));
  }

  private static SequencedMultiSetStateConfig stateConfig(Setting setting) {
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
