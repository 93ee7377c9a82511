package dev.tidemark.datafile;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.encryption.EncryptionTestHelpers;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/** Tables whose parts are replaced one by one. */
final class EncryptedTables {
  private EncryptedTables() {}

  /** The same table with Iceberg's own encryption and a key store in memory. */
  static Table encrypt(BaseTable table) {
    EncryptionManager encryption = EncryptionTestHelpers.createEncryptionManager();
    return new BaseTable(
        new DelegatingOperations(table.operations()) {
          @Override
          public EncryptionManager encryption() {
            return encryption;
          }

          @Override
          public FileIO io() {
            return EncryptingFileIO.combine(super.io(), encryption);
          }
        },
        table.name());
  }

  static class DelegatingOperations implements TableOperations {
    private final TableOperations operations;

    DelegatingOperations(TableOperations operations) {
      this.operations = operations;
    }

    @Override
    public TableMetadata current() {
      return operations.current();
    }

    @Override
    public TableMetadata refresh() {
      return operations.refresh();
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      operations.commit(base, metadata);
    }

    @Override
    public FileIO io() {
      return operations.io();
    }

    @Override
    public EncryptionManager encryption() {
      return operations.encryption();
    }

    @Override
    public String metadataFileLocation(String fileName) {
      return operations.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider() {
      return operations.locationProvider();
    }
  }

  static class DelegatingFileIO implements FileIO {
    private final FileIO io;

    DelegatingFileIO(FileIO io) {
      this.io = io;
    }

    @Override
    public InputFile newInputFile(String path) {
      return io.newInputFile(path);
    }

    @Override
    public OutputFile newOutputFile(String path) {
      return io.newOutputFile(path);
    }

    @Override
    public void deleteFile(String path) {
      io.deleteFile(path);
    }
  }

  static class DelegatingOutputFile implements OutputFile {
    private final OutputFile file;

    DelegatingOutputFile(OutputFile file) {
      this.file = file;
    }

    @Override
    public PositionOutputStream create() {
      return file.create();
    }

    @Override
    public PositionOutputStream createOrOverwrite() {
      return file.createOrOverwrite();
    }

    @Override
    public String location() {
      return file.location();
    }

    @Override
    public InputFile toInputFile() {
      return file.toInputFile();
    }
  }
}
