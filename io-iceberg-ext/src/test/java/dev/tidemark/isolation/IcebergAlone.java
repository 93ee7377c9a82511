package dev.tidemark.isolation;

import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.commit.CommitProtocol;
import dev.tidemark.commit.CommitRequest;
import dev.tidemark.commit.WriterResult;
import dev.tidemark.datafile.DataFileCodec;
import dev.tidemark.datafile.FileOptions;
import dev.tidemark.datafile.RowSchemas;
import dev.tidemark.datafile.TableFileWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.Row;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A program of this module and the direct runner alone: writes three rows into data files, commits
 * them to a table and reads the table. Its first argument is the warehouse, the others name classes
 * that must not be there.
 */
final class IcebergAlone {
  private static final TableIdentifier TABLE = TableIdentifier.of("db", "events");
  private static final Schema SCHEMA =
      Schema.builder().addInt64Field("id").addStringField("name").build();

  public static void main(String[] args) throws Exception {
    AbsentClasses.check(Arrays.copyOfRange(args, 1, args.length));
    CatalogConfig config =
        CatalogConfig.of("alone", Map.of("type", "hadoop", "warehouse", args[0]));
    ((SupportsNamespaces) config.catalog()).createNamespace(TABLE.namespace());
    config.catalog().createTable(TABLE, RowSchemas.toIceberg(SCHEMA));

    Pipeline pipeline = Pipeline.create(PipelineOptionsFactory.create());
    pipeline
        .apply(Create.of(row(1, "a"), row(2, "b"), row(3, "c")).withRowSchema(SCHEMA))
        .apply("Write", ParDo.of(new WriteFn(config)))
        .setCoder(KvCoder.of(StringUtf8Coder.of(), ByteArrayCoder.of()))
        .apply(GroupByKey.create())
        .apply("Commit", ParDo.of(new CommitFn(config)));
    pipeline.run().waitUntilFinish();

    try (CloseableIterable<Record> records =
        IcebergGenerics.read(config.loadTable(TABLE)).build()) {
      long rows = 0;
      for (Record record : records) {
        rows += record.getField("name") == null ? 0 : 1;
      }
      System.out.println("rows=" + rows);
    }
  }

  private static Row row(long id, String name) {
    return Row.withSchema(SCHEMA).addValues(id, name).build();
  }

  private static final class WriteFn extends DoFn<Row, KV<String, byte[]>> {
    private final CatalogConfig config;
    private transient @Nullable Table table;
    private transient @Nullable TableFileWriter writer;

    private WriteFn(CatalogConfig config) {
      this.config = config;
    }

    @StartBundle
    public void startBundle() {
      table = config.loadTable(TABLE);
      writer = TableFileWriter.open(table, SCHEMA, FileOptions.defaults());
    }

    @ProcessElement
    public void process(@Element Row row) {
      writer.write(row);
    }

    @FinishBundle
    public void finishBundle(FinishBundleContext context) {
      for (DataFile file : writer.complete()) {
        context.output(
            KV.of(TABLE.toString(), DataFileCodec.encode(file, table.spec())),
            GlobalWindow.INSTANCE.maxTimestamp(),
            GlobalWindow.INSTANCE);
      }
      writer.close();
    }
  }

  private static final class CommitFn extends DoFn<KV<String, Iterable<byte[]>>, Void> {
    private final CatalogConfig config;

    private CommitFn(CatalogConfig config) {
      this.config = config;
    }

    @ProcessElement
    public void process(@Element KV<String, Iterable<byte[]>> written) {
      Table table = config.loadTable(TABLE);
      List<DataFile> files = new ArrayList<>();
      written.getValue().forEach(bytes -> files.add(DataFileCodec.decode(bytes, table.specs())));
      WriterResult result = WriterResult.of(1, table.uuid().toString(), files);
      CommitProtocol.of(config.catalog())
          .commitBatch(
              CommitRequest.of(TABLE, "alone", List.of(result)), "run", "all", List.of());
    }
  }

  private IcebergAlone() {}
}
