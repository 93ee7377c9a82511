package dev.tidemark.examples.cdc;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.change.Change;
import dev.tidemark.doris.DorisIO;
import dev.tidemark.doris.DorisTable;
import dev.tidemark.doris.DorisWrite;
import dev.tidemark.doris.DorisWriteResult;
import dev.tidemark.iceberg.CommitAccumulator;
import dev.tidemark.iceberg.IcebergWriteResult;
import dev.tidemark.iceberg.TableCreation;
import dev.tidemark.iceberg.TidemarkIcebergIO;
import dev.tidemark.iceberg.WriteRows;
import dev.tidemark.secrets.Derived;
import dev.tidemark.secrets.Secrets;
import dev.tidemark.upsert.MaterializeUpserts;
import dev.tidemark.upsert.MaterializeUpsertsResult;
import java.util.List;
import org.apache.beam.sdk.options.ValueProvider;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;

/** The two ways of a table's changes: into its change table, and as upserts into Doris. */
final class CdcTableWrites {
  private static final String KIND = "_kind";
  private static final long MIB = 1L << 20;

  private final CdcOptions options;
  private final WriteDeadLetters deadLetters;

  CdcTableWrites(CdcOptions options, WriteDeadLetters deadLetters) {
    this.options = options;
    this.deadLetters = deadLetters;
  }

  CdcTable write(SourceTable table, PCollection<Change> changes) {
    IcebergWriteResult written =
        changes.apply(
            "Log_" + table.name(),
            TidemarkIcebergIO.writeChanges().withKindColumn(KIND).withRows(rows(table)));
    deadLetters.add("iceberg." + table.name(), written.failed());
    MaterializeUpsertsResult upserts = changes.apply("Upserts_" + table.name(), upserts(table));
    deadLetters.add("upserts." + table.name(), upserts.failed());
    DorisWriteResult served =
        upserts
            .changes()
            .apply("Columns_" + table.name(), ServedColumns.of(table))
            .apply("Serve_" + table.name(), doris(table));
    deadLetters.add("doris." + table.name(), served.failed());
    return new CdcTable(
        table.name(), written.commits(), written.advances(), written.late(), served.loads());
  }

  private WriteRows rows(SourceTable table) {
    String name = table.name();
    WriteRows rows =
        TidemarkIcebergIO.writeRows()
            .withCatalog(catalog(options))
            .to(
                Derived.of(
                    "--icebergNamespace." + name,
                    List.of(Given.orDefault(options.getIcebergNamespace())),
                    texts -> texts.get(0) + "." + name))
            .withWriterId(options.getWriterId())
            .withTableCreation(
                TableCreation.unpartitioned()
                    .withPartitions(table.partitions().toArray(new String[0])))
            .withAddedColumns(options.getAddedColumns())
            .withOnRewind(options.getOnRewind())
            .withEventTime(table.eventTimeExtractor())
            .withAccumulator(CommitAccumulator.rowsByKind("kind", KIND))
            .withFinalization(Finalizing.by(options));
    if (options.getIcebergRowGrouping() > 0) {
      rows = rows.withRowGrouping(options.getIcebergRowGrouping());
    }
    return options.getLaunchCheck() ? rows : rows.withoutLaunchCheck();
  }

  /** The catalog, whose secrets workers resolve. */
  static ValueProvider<CatalogConfig> catalog(IcebergOptions options) {
    return Derived.ofReferences(
        "catalog",
        List.of(
            Given.orDefault(options.getCatalogName()),
            Given.orDefault(options.getCatalogType()),
            Given.orDefault(options.getCatalogUri()),
            Given.orDefault(options.getCatalogWarehouse()),
            Given.orDefault(options.getCatalogProperties())),
        texts -> {
          String type = Secrets.resolve(texts.get(1));
          ImmutableMap.Builder<String, String> properties = ImmutableMap.builder();
          properties.putAll(JsonTexts.resolved("--catalogProperties", texts.get(4)));
          properties.put(type.indexOf('.') < 0 ? "type" : "catalog-impl", type);
          if (!texts.get(2).isEmpty()) {
            properties.put("uri", Secrets.resolve(texts.get(2)));
          }
          if (!texts.get(3).isEmpty()) {
            properties.put("warehouse", Secrets.resolve(texts.get(3)));
          }
          return CatalogConfig.of(Secrets.resolve(texts.get(0)), properties.buildKeepingLast());
        });
  }

  private MaterializeUpserts upserts(SourceTable table) {
    MaterializeUpserts upserts =
        MaterializeUpserts.create()
            .withSinkKey(table.keyColumns())
            .withUpsertKey(table.keyColumns())
            .withStrategy(options.getUpsertStrategy())
            .withShards(options.getUpsertShards())
            .withBatchRows(options.getUpsertBatchRows())
            .withBatchAge(Duration.millis(options.getUpsertBatchAgeMillis()));
    if (options.getUpsertStoreMemoryMb() > 0) {
      upserts = upserts.withStoreMemory(options.getUpsertStoreMemoryMb() * MIB);
    }
    if (options.getUpsertTimeToLiveHours() > 0) {
      upserts = upserts.withTimeToLive(Duration.standardHours(options.getUpsertTimeToLiveHours()));
    }
    if (!options.getUpsertStoreDirectory().isEmpty()) {
      upserts = upserts.withStoreDirectory(options.getUpsertStoreDirectory());
    }
    return switch (options.getUpsertOrder()) {
      case ARRIVAL -> upserts;
      case POSITION -> upserts.withOrderByPosition();
    };
  }

  private DorisWrite doris(SourceTable table) {
    String name = table.name();
    String[] key = table.keyColumns();
    String prefix =
        options.getDorisLabelPrefix().isEmpty()
            ? options.getWriterId()
            : options.getDorisLabelPrefix();
    DorisWrite write =
        DorisIO.write()
            .withFrontends(
                Derived.<List<String>>of(
                    "--dorisFrontends",
                    List.of(Given.orDefault(options.getDorisFrontends())),
                    texts -> Splitter.on(',').splitToList(texts.get(0))))
            .withUser(Given.orDefault(options.getDorisUser()))
            .withPassword(secret("--dorisPassword", options.getDorisPassword()))
            .to(
                Derived.of(
                    "--dorisDatabase." + name,
                    List.of(Given.orDefault(options.getDorisDatabase())),
                    texts -> DorisTable.of(texts.get(0), name).withKey(key)))
            .withLabelPrefix(prefix)
            .withDelivery(options.getDorisDelivery())
            .withShards(options.getDorisShards())
            .withMaxRows(options.getDorisMaxRows())
            .withMaxBytes(options.getDorisMaxMb() * MIB)
            .withMaxAge(Duration.standardSeconds(options.getDorisMaxAgeSeconds()))
            .withDatetimeEncoding(options.getDorisDatetimes());
    if (Given.isGiven(options.getDorisTrustStore())) {
      write =
          write.withTrustStore(
              options.getDorisTrustStore(),
              secret("--dorisTrustStorePassword", options.getDorisTrustStorePassword()));
    }
    if (options.getDorisRefusedRowsAreDeadLetters()) {
      write = write.withRefusedRowsInFailed();
    }
    return options.getLaunchCheck() ? write : write.withoutLaunchCheck();
  }

  private static ValueProvider<String> secret(String name, ValueProvider<String> reference) {
    return Derived.of(name, List.of(Given.orDefault(reference)), texts -> texts.get(0));
  }
}
