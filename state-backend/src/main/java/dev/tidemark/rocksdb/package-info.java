/** The journaled store of candidates on RocksDB. */
package dev.tidemark.rocksdb;
