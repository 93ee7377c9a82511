package dev.tidemark.iceberg;

import com.google.auto.value.AutoValue;
import dev.tidemark.datafile.FileOptions;
import dev.tidemark.schematransform.Configuring;
import org.apache.beam.sdk.schemas.AutoValueSchema;
import org.apache.beam.sdk.schemas.annotations.DefaultSchema;
import org.apache.beam.sdk.schemas.annotations.SchemaFieldDescription;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Sizes and limits of data files, as fields of a configuration tell them. */
@AutoValue
@DefaultSchema(AutoValueSchema.class)
abstract class DataFilesConfig {
  @SchemaFieldDescription(
      "Bytes at which a file is closed and the next one begun. Default: the table's"
          + " write.target-file-size-bytes.")
  abstract @Nullable Long getTargetFileSizeBytes();

  @SchemaFieldDescription("Partitions that are written at once. Default: 128.")
  abstract @Nullable Integer getMaxOpenWriters();

  @SchemaFieldDescription(
      "Bytes of memory that all open writers of a bundle may hold. Default: 268435456.")
  abstract @Nullable Long getMaxBufferedBytes();

  @SchemaFieldDescription("Bytes of memory in front of the spill file. Default: 16777216.")
  abstract @Nullable Integer getSpillBufferBytes();

  @SchemaFieldDescription("Local folder of the spill file. Default: java.io.tmpdir.")
  abstract @Nullable String getSpillDirectory();

  @SchemaFieldDescription("What names of data files begin with. Default: nothing.")
  abstract @Nullable String getFileNamePrefix();

  FileOptions options() {
    return Configuring.of(FileOptions.defaults())
        .set(
            "target_file_size_bytes",
            getTargetFileSizeBytes(),
            FileOptions::withTargetFileSizeBytes)
        .set("max_open_writers", getMaxOpenWriters(), FileOptions::withMaxOpenWriters)
        .set("max_buffered_bytes", getMaxBufferedBytes(), FileOptions::withMaxBufferedBytes)
        .set("spill_buffer_bytes", getSpillBufferBytes(), FileOptions::withSpillBufferBytes)
        .set("spill_directory", getSpillDirectory(), FileOptions::withSpillDirectory)
        .set("file_name_prefix", getFileNamePrefix(), FileOptions::withFileNamePrefix)
        .get();
  }
}
