/**
 * A store of candidates on RocksDB. The runner's state is the truth; memory and local files are the
 * working set, rebuilt from it whenever the fences differ.
 */
package dev.tidemark.rocksdb;
