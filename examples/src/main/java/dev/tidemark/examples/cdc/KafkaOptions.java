package dev.tidemark.examples.cdc;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.ValueProvider;

/** Where the change events come from, if it is Kafka. */
public interface KafkaOptions extends PipelineOptions {

  /** See the description. */
  @Description(
      "Brokers to begin with, host:port, separated by commas. Required with --source=KAFKA."
          + " Example: --kafkaServers=broker-1:9092,broker-2:9092")
  @Parameter(
      label = "Kafka brokers",
      regex = "[^\\s,:]+:\\d{1,5}(,[^\\s,:]+:\\d{1,5})*",
      expects = "host:port, several of them separated by commas")
  ValueProvider<String> getKafkaServers();

  /** Sets {@link #getKafkaServers()}. */
  void setKafkaServers(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Further properties of Kafka clients, for example security settings, as a JSON object. Secrets"
          + " are references, ${env:NAME} or ${file:/path}, which workers resolve. Default: none."
          + " Example: --kafkaProperties='{\"security.protocol\":\"SASL_SSL\","
          + "\"sasl.jaas.config\":\"${file:/run/secrets/jaas}\"}'")
  @Default.String("{}")
  @Parameter(
      label = "Properties of Kafka clients",
      regex = "(?s)\\s*\\{.*\\}\\s*",
      expects = "a JSON object of texts",
      quoted = false)
  ValueProvider<String> getKafkaProperties();

  /** Sets {@link #getKafkaProperties()}. */
  void setKafkaProperties(ValueProvider<String> value);

  /** See the description. */
  @Description(
      "Where a pipeline that starts without state begins to read a partition: earliest or latest."
          + " Default: earliest. Example: --kafkaStart=latest")
  @Default.String("earliest")
  @Parameter(label = "First offset", regex = "earliest|latest", expects = "earliest or latest")
  ValueProvider<String> getKafkaStart();

  /** Sets {@link #getKafkaStart()}. */
  void setKafkaStart(ValueProvider<String> value);
}
