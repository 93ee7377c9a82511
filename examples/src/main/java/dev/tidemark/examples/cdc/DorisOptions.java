package dev.tidemark.examples.cdc;

import dev.tidemark.doris.DatetimeEncoding;
import dev.tidemark.doris.DeliveryMode;
import dev.tidemark.secrets.Secrets;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.options.ValueProvider;

/** The Doris cluster, and how it is loaded. */
public interface DorisOptions extends PipelineOptions {

  /** See the description. */
  @Description(
      "Frontends, host:port or https://host:port, separated by commas, tried in turn. Required."
          + " Example: --dorisFrontends=fe-1:8030,fe-2:8030")
  @Validation.Required
  @Parameter(
      label = "Frontends",
      regex = "(https?://)?[^\\s,:/@]+:\\d{1,5}(,(https?://)?[^\\s,:/@]+:\\d{1,5})*",
      expects = "host:port or https://host:port, several of them separated by commas",
      quoted = false)
  ValueProvider<String> getDorisFrontends();

  /** Sets {@link #getDorisFrontends()}. */
  void setDorisFrontends(ValueProvider<String> value);

  /** See the description. */
  @Description("User of Doris. Required. Example: --dorisUser=loader")
  @Validation.Required
  @Parameter(label = "User", regex = "\\S+", expects = "a name without blanks")
  ValueProvider<String> getDorisUser();

  /** Sets {@link #getDorisUser()}. */
  void setDorisUser(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Reference to the password: ${env:NAME} or ${file:/path}, which workers resolve. A password itself"
          + " is refused, since it would be in the job graph. Required."
          + " Example: --dorisPassword='${file:/run/secrets/doris}'")
  @Validation.Required
  @Parameter(
      label = "Reference to the password",
      regex = Secrets.REFERENCE,
      expects = "a reference, ${env:NAME} or ${file:/path}",
      quoted = false)
  ValueProvider<String> getDorisPassword();

  /** Sets {@link #getDorisPassword()}. */
  void setDorisPassword(ValueProvider<String> value);

  /** See the description. */
  @Description("Database of the tables. Required. Example: --dorisDatabase=shop")
  @Validation.Required
  @Parameter(label = "Database", regex = "[^\\s/?]+", expects = "a name without blanks, / and ?")
  ValueProvider<String> getDorisDatabase();

  /** Sets {@link #getDorisDatabase()}. */
  void setDorisDatabase(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "File of workers with the certificates to trust (PKCS12 or JKS). Default: the JVM's. Needs"
          + " --dorisTrustStorePassword. Example: --dorisTrustStore=/etc/tidemark/trust.p12")
  @Parameter(label = "Trust store", regex = "|\\S.*", expects = "a file")
  ValueProvider<String> getDorisTrustStore();

  /** Sets {@link #getDorisTrustStore()}. */
  void setDorisTrustStore(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Reference to the password of --dorisTrustStore. Default: none."
          + " Example: --dorisTrustStorePassword='${env:TRUST_PASSWORD}'")
  @Parameter(
      label = "Reference to the trust store's password",
      regex = "|" + Secrets.REFERENCE,
      expects = "a reference, ${env:NAME} or ${file:/path}",
      quoted = false)
  ValueProvider<String> getDorisTrustStorePassword();

  /** Sets {@link #getDorisTrustStorePassword()}. */
  void setDorisTrustStorePassword(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "How each row comes to be in a table once: LABELS or TWO_PHASE_COMMIT. Default: LABELS."
          + " Example: --dorisDelivery=TWO_PHASE_COMMIT")
  @Default.Enum("LABELS")
  @Parameter(label = "Delivery mode")
  DeliveryMode getDorisDelivery();

  /** Sets {@link #getDorisDelivery()}. */
  void setDorisDelivery(DeliveryMode value);

  /** See the description. */
  @Description(
      "What labels of loads begin with. Stays the same when the pipeline is restored from its state."
          + " Default: the value of --writerId. Example: --dorisLabelPrefix=shop-eu")
  @Default.String("")
  @Parameter(
      label = "Label prefix",
      regex = "[A-Za-z0-9_:-]*",
      expects = "made of A-Z, a-z, 0-9, _, : and -")
  String getDorisLabelPrefix();

  /** Sets {@link #getDorisLabelPrefix()}. */
  void setDorisLabelPrefix(String value);

  /** See the description. */
  @Description(
      "Shards of a table, each loaded in order, all at the same time. Fixed for the life of the state."
          + " Default: 4. Example: --dorisShards=8")
  @Default.Integer(4)
  @Parameter(label = "Shards of a table", min = 1, max = 1_024)
  int getDorisShards();

  /** Sets {@link #getDorisShards()}. */
  void setDorisShards(int value);

  /** See the description. */
  @Description("Most rows of a load. Default: 500000. Example: --dorisMaxRows=100000")
  @Default.Integer(500_000)
  @Parameter(label = "Rows of a load", min = 1)
  int getDorisMaxRows();

  /** Sets {@link #getDorisMaxRows()}. */
  void setDorisMaxRows(int value);

  /** See the description. */
  @Description("About the most bytes of a load, in MiB. Default: 64. Example: --dorisMaxMb=16")
  @Default.Integer(64)
  @Parameter(label = "MiB of a load", min = 1, max = 1_024)
  int getDorisMaxMb();

  /** Sets {@link #getDorisMaxMb()}. */
  void setDorisMaxMb(int value);

  /** See the description. */
  @Description(
      "Seconds that rows wait for more rows of a load. Default: 10. Example: --dorisMaxAgeSeconds=30")
  @Default.Integer(10)
  @Parameter(label = "Wait of rows in seconds", min = 1)
  int getDorisMaxAgeSeconds();

  /** Sets {@link #getDorisMaxAgeSeconds()}. */
  void setDorisMaxAgeSeconds(int value);

  /** See the description. */
  @Description(
      "What the servers take timestamps for: WALL_CLOCK, or LEGACY_PLUS_8 for releases up to about 4.1.3."
          + " Default: WALL_CLOCK. Example: --dorisDatetimes=LEGACY_PLUS_8")
  @Default.Enum("WALL_CLOCK")
  @Parameter(label = "Datetime encoding")
  DatetimeEncoding getDorisDatetimes();

  /** Sets {@link #getDorisDatetimes()}. */
  void setDorisDatetimes(DatetimeEncoding value);

  /** See the description. */
  @Description(
      "Whether rows that Doris refuses become dead letters. Default: false, they fail the pipeline."
          + " Example: --dorisRefusedRowsAreDeadLetters=true")
  @Default.Boolean(false)
  @Parameter(label = "Refused rows are dead letters")
  boolean getDorisRefusedRowsAreDeadLetters();

  /** Sets {@link #getDorisRefusedRowsAreDeadLetters()}. */
  void setDorisRefusedRowsAreDeadLetters(boolean value);
}
