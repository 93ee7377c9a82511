package dev.tidemark.examples.cdc;

import dev.tidemark.commit.RewindPolicy;
import dev.tidemark.iceberg.AddedColumns;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.options.ValueProvider;

/** The Iceberg catalog, and how change tables are written. */
public interface IcebergOptions extends PipelineOptions {

  /** See the description. */
  @Description(
      "Name of the catalog; a JDBC catalog keeps its tables under it. Default: lake."
          + " Example: --catalogName=lake")
  @Default.String("lake")
  @Parameter(label = "Name of the catalog", regex = "\\S+", expects = "a name without blanks")
  ValueProvider<String> getCatalogName();

  /** Sets {@link #getCatalogName()}. */
  void setCatalogName(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Type of the catalog as Iceberg names it: rest, jdbc, hadoop, hive, glue or nessie, or the class"
          + " of one. Required. Example: --catalogType=rest")
  @Validation.Required
  @Parameter(
      label = "Type of the catalog",
      regex = "rest|jdbc|hadoop|hive|glue|nessie|[\\w$]+(\\.[\\w$]+)+",
      expects = "rest, jdbc, hadoop, hive, glue, nessie or the name of a class")
  ValueProvider<String> getCatalogType();

  /** Sets {@link #getCatalogType()}. */
  void setCatalogType(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Address of the catalog, for the types that have one. Default: none."
          + " Example: --catalogUri=https://catalog.example.com/api")
  @Parameter(
      label = "Address of the catalog",
      regex = "\\S*",
      expects = "an address without blanks",
      quoted = false)
  ValueProvider<String> getCatalogUri();

  /** Sets {@link #getCatalogUri()}. */
  void setCatalogUri(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Location of the catalog's warehouse, for the types that have one. Default: none."
          + " Example: --catalogWarehouse=s3://lake/warehouse")
  @Parameter(label = "Warehouse", regex = "\\S*", expects = "a location without blanks")
  ValueProvider<String> getCatalogWarehouse();

  /** Sets {@link #getCatalogWarehouse()}. */
  void setCatalogWarehouse(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Further properties of the catalog and its file system, as a JSON object. Secrets are references,"
          + " ${env:NAME} or ${file:/path}, which workers resolve. Default: none."
          + " Example: --catalogProperties='{\"credential\":\"${file:/run/secrets/catalog}\"}'")
  @Default.String("{}")
  @Parameter(
      label = "Properties of the catalog",
      regex = "(?s)\\s*\\{.*\\}\\s*",
      expects = "a JSON object of texts",
      quoted = false)
  ValueProvider<String> getCatalogProperties();

  /** Sets {@link #getCatalogProperties()}. */
  void setCatalogProperties(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Namespace of the change tables; levels are separated by dots. Missing tables are created in it."
          + " Required. Example: --icebergNamespace=shop")
  @Validation.Required
  @Parameter(
      label = "Namespace of the change tables",
      regex = "[^\\s.]+(\\.[^\\s.]+)*",
      expects = "names separated by dots")
  ValueProvider<String> getIcebergNamespace();

  /** Sets {@link #getIcebergNamespace()}. */
  void setIcebergNamespace(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Name of this pipeline in the tables it writes. Stays the same when the pipeline is restored from"
          + " its state; one that starts without state needs a new name. Required."
          + " Example: --writerId=shop-eu")
  @Validation.Required
  @Parameter(
      label = "Name of this writer",
      regex = "[A-Za-z0-9_-]{1,64}",
      expects = "1 to 64 of the characters A-Z, a-z, 0-9, _ and -")
  String getWriterId();

  /** Sets {@link #getWriterId()}. */
  void setWriterId(String value);

  /** See the description. */
  @Description(
      "What to do with columns that are declared and that a change table lacks: REFUSE or EVOLVE."
          + " Default: REFUSE. Example: --addedColumns=EVOLVE")
  @Default.Enum("REFUSE")
  @Parameter(label = "Added columns")
  AddedColumns getAddedColumns();

  /** Sets {@link #getAddedColumns()}. */
  void setAddedColumns(AddedColumns value);

  /** See the description. */
  @Description(
      "What to do if the pipeline was taken back behind what a table holds of it: FAIL, PARK (set this"
          + " table aside) or ACCEPT. Default: FAIL. Example: --onRewind=PARK")
  @Default.Enum("FAIL")
  @Parameter(label = "On rewind")
  RewindPolicy getOnRewind();

  /** Sets {@link #getOnRewind()}. */
  void setOnRewind(RewindPolicy value);

  /** See the description. */
  @Description(
      "Rows of a batch that is written together, for runners with small bundles, where each bundle would"
          + " make a file. Default: 0, not grouped, which is right on Flink."
          + " Example: --icebergRowGrouping=10000")
  @Default.Integer(0)
  @Parameter(label = "Rows grouped before writing", min = 0)
  int getIcebergRowGrouping();

  /** Sets {@link #getIcebergRowGrouping()}. */
  void setIcebergRowGrouping(int value);
}
