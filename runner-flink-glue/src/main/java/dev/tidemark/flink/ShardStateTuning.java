package dev.tidemark.flink;

import java.util.Collection;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.contrib.streaming.state.ConfigurableRocksDBOptionsFactory;
import org.apache.flink.contrib.streaming.state.RocksDBConfigurableOptions;
import org.apache.flink.contrib.streaming.state.RocksDBOptionsFactory;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.TableFormatConfig;

/** Options of RocksDB for few and large entries, where the cluster does not say otherwise. */
final class ShardStateTuning implements ConfigurableRocksDBOptionsFactory {
  static final long BLOCK_BYTES = 32 << 10;
  private static final double BITS_PER_KEY = 10;

  private boolean blockSize = true;
  private boolean bloomFilter = true;
  private boolean dynamicLevels = true;

  @Override
  public RocksDBOptionsFactory configure(ReadableConfig cluster) {
    blockSize = isOpen(cluster, RocksDBConfigurableOptions.BLOCK_SIZE);
    bloomFilter = isOpen(cluster, RocksDBConfigurableOptions.USE_BLOOM_FILTER);
    dynamicLevels = isOpen(cluster, RocksDBConfigurableOptions.USE_DYNAMIC_LEVEL_SIZE);
    return this;
  }

  private static boolean isOpen(ReadableConfig cluster, ConfigOption<?> option) {
    return cluster.getOptional(option).isEmpty();
  }

  @Override
  public DBOptions createDBOptions(DBOptions options, Collection<AutoCloseable> toClose) {
    return options;
  }

  @Override
  public ColumnFamilyOptions createColumnOptions(
      ColumnFamilyOptions options, Collection<AutoCloseable> toClose) {
    TableFormatConfig format = options.tableFormatConfig();
    BlockBasedTableConfig table =
        format instanceof BlockBasedTableConfig given ? given : new BlockBasedTableConfig();
    if (blockSize) {
      // An entry fills a block of the default size by itself; larger ones need a smaller index.
      table.setBlockSize(BLOCK_BYTES);
    }
    if (bloomFilter) {
      // The value of a shard is read with each batch, and is in one of the files only.
      BloomFilter filter = new BloomFilter(BITS_PER_KEY, false);
      toClose.add(filter);
      table.setFilterPolicy(filter);
    }
    if (dynamicLevels) {
      // What was cleared is dropped from files sooner, and so from the checkpoints.
      options.setLevelCompactionDynamicLevelBytes(true);
    }
    return options.setTableFormatConfig(table);
  }
}
