package dev.tidemark.examples.benchmarks.endtoend;

import dev.tidemark.examples.benchmarks.load.PeerSettings;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/**
 * The change pipeline in Flink SQL: {@code debezium-json} from Kafka, every change into a table of
 * Iceberg with its kind, and the rows by key, through the sink materializer, into Doris.
 *
 * <p>The topic is read and parsed once for both: the changes pass through a data stream, where the
 * change table's rows get their kind. In SQL alone each sink reads the topic for itself.
 *
 * <p>Option {@code withoutMaterializer} leaves to the planner whether there is a materializer; for
 * keys that are those of the source it leaves it out. Option {@code cheapMetadata} takes the time
 * of the connector and the record's offset, for which no map of the source's properties is made.
 */
final class FlinkSqlJob {
  private static final int COLUMNS = 9;

  private FlinkSqlJob() {}

  public static void main(String[] args) throws Exception {
    Configuration configuration =
        GlobalConfiguration.loadConfiguration(PeerSettings.required("flinkConfiguration"));
    int parallelism = Integer.parseInt(PeerSettings.required("parallelism"));
    StreamExecutionEnvironment flink =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
    flink.enableCheckpointing(PeerSettings.intervalMillis());
    flink.getConfig().enableObjectReuse();
    StreamTableEnvironment sql = StreamTableEnvironment.create(flink);
    sql.getConfig().set("table.local-time-zone", "UTC");
    sql.getConfig()
        .set(
            "table.exec.sink.upsert-materialize",
            PeerSettings.has("withoutMaterializer") ? "AUTO" : "FORCE");
    createTables(sql);

    boolean cheap = PeerSettings.has("cheapMetadata");
    DataStream<Row> changes =
        sql.toChangelogStream(
            sql.sqlQuery(
                "SELECT order_id, customer, status, quantity, price, total,"
                    + " CAST(TO_TIMESTAMP_LTZ(placed, 3) AS TIMESTAMP(3)) AS placed, note, version,"
                    + (cheap
                        ? " record_offset AS lsn, event_time"
                        : " CAST(source_properties['lsn'] AS BIGINT) AS lsn, source_time AS event_time")
                    + " FROM order_events"));
    sql.createTemporaryView(
        "order_log",
        changes.map(new ChangeToLogRow(COLUMNS)).returns(logRow()),
        columns()
            .column("_position", "BIGINT NOT NULL")
            .column("_ts", "TIMESTAMP_LTZ(3) NOT NULL")
            .column("_kind", "STRING NOT NULL")
            .build());
    sql.createTemporaryView(
        "order_changes",
        sql.fromChangelogStream(
            changes,
            columns()
                .column("lsn", "BIGINT")
                .column("event_time", "TIMESTAMP_LTZ(3)")
                .primaryKey("order_id")
                .build()));
    StreamStatementSet job = sql.createStatementSet();
    job.addInsertSql(
        "INSERT INTO lake." + PeerSettings.required("logTable") + " SELECT * FROM order_log");
    job.addInsertSql(
        "INSERT INTO served_orders SELECT order_id, customer, status, quantity, price, total,"
            + " placed, note, version FROM order_changes");
    job.attachAsDataStream();
    flink.execute();
  }

  private static void createTables(StreamTableEnvironment sql) {
    sql.executeSql(
        "CREATE TEMPORARY TABLE order_events (order_id BIGINT NOT NULL, customer STRING,"
            + " status STRING, quantity INT, price DOUBLE, total DECIMAL(14, 2), placed BIGINT,"
            + " note STRING, version BIGINT,"
            + " record_offset BIGINT METADATA FROM 'offset' VIRTUAL,"
            + " event_time TIMESTAMP_LTZ(3) METADATA FROM 'value.ingestion-timestamp' VIRTUAL,"
            + " source_time TIMESTAMP_LTZ(3) METADATA FROM 'value.source.timestamp' VIRTUAL,"
            + " source_properties MAP<STRING, STRING> METADATA FROM 'value.source.properties'"
            + " VIRTUAL) WITH ('connector' = 'kafka', 'format' = 'debezium-json',"
            + " 'scan.startup.mode' = 'earliest-offset', 'properties.isolation.level' = 'read_committed',"
            // Places are in checkpoints, as on the other side.
            + " 'properties.commit.offsets.on.checkpoint' = 'false'"
            + option("topic", "topic")
            + option("properties.bootstrap.servers", "brokers")
            + ")");
    sql.executeSql(
        "CREATE TEMPORARY TABLE served_orders (order_id BIGINT NOT NULL, customer STRING,"
            + " status STRING, quantity INT, price DOUBLE, total DECIMAL(14, 2),"
            + " placed TIMESTAMP(3), note STRING, version BIGINT,"
            + " PRIMARY KEY (order_id) NOT ENFORCED) WITH ('connector' = 'doris',"
            + " 'sink.properties.format' = 'json', 'sink.properties.read_json_by_line' = 'true'"
            + option("sink.label-prefix", "labelPrefix")
            + option("fenodes", "frontend")
            + option("table.identifier", "servedTable")
            + option("username", "user")
            + option("password", "password")
            + ")");
    sql.executeSql(
        "CREATE CATALOG lake WITH ('type' = 'iceberg', 'catalog-type' = 'hadoop'"
            + option("warehouse", "warehouse")
            + ")");
  }

  private static String option(String name, String setting) {
    return ", '" + name + "' = '" + PeerSettings.required(setting) + "'";
  }

  private static Schema.Builder columns() {
    return Schema.newBuilder()
        .column("order_id", "BIGINT NOT NULL")
        .column("customer", "STRING")
        .column("status", "STRING")
        .column("quantity", "INT")
        .column("price", "DOUBLE")
        .column("total", "DECIMAL(14, 2)")
        .column("placed", "TIMESTAMP(3)")
        .column("note", "STRING")
        .column("version", "BIGINT");
  }

  private static TypeInformation<Row> logRow() {
    return Types.ROW_NAMED(
        new String[] {
          "order_id",
          "customer",
          "status",
          "quantity",
          "price",
          "total",
          "placed",
          "note",
          "version",
          "_position",
          "_ts",
          "_kind"
        },
        Types.LONG,
        Types.STRING,
        Types.STRING,
        Types.INT,
        Types.DOUBLE,
        Types.BIG_DEC,
        Types.LOCAL_DATE_TIME,
        Types.STRING,
        Types.LONG,
        Types.LONG,
        Types.INSTANT,
        Types.STRING);
  }
}
