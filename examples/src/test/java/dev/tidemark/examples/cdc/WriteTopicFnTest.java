package dev.tidemark.examples.cdc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.instanceOf;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.junit.Assert.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import com.google.common.util.concurrent.Futures;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.change.DebeziumRecordCoder;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What a topic gets, and what happens to a letter that is too long for it. */
@RunWith(JUnit4.class)
public class WriteTopicFnTest {
  private static final String TOPIC = "shop.dead-letters";

  /** As long as a record of the topic may be. */
  private static final int MOST_BYTES = 40_000;

  private final LimitedTopic topic = new LimitedTopic();
  private final WriteTopicFn fn =
      new WriteTopicFn(
          StaticValueProvider.of(TOPIC), StaticValueProvider.of(ImmutableMap.of()), all -> topic);

  /** Kafka's own stand-in; it fails what is too long as the real one does, by the answer. */
  private static final class LimitedTopic extends MockProducer<byte[], byte[]> {
    boolean unreachable;

    LimitedTopic() {
      super(true, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      if (unreachable) {
        return Futures.immediateFailedFuture(new TimeoutException("no broker"));
      }
      return record.value().length > MOST_BYTES
          ? Futures.immediateFailedFuture(new RecordTooLargeException("too large"))
          : super.send(record, callback);
    }

    @Override
    public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
      return send(record, null);
    }

    List<String> lines() {
      return history().stream().map(record -> new String(record.value(), UTF_8)).toList();
    }
  }

  @Before
  public void start() {
    fn.start();
  }

  private static String letter(DebeziumRecord event) throws Exception {
    return new DeadLetterText("parse")
        .apply(
            BadRecord.builder()
                .setRecord(
                    BadRecord.Record.builder()
                        .setHumanReadableJsonRecord("{}")
                        .addCoderAndEncodedRecord(DebeziumRecordCoder.of(), event)
                        .build())
                .setFailure(BadRecord.Failure.builder().setDescription("it is broken").build())
                .build());
  }

  @Test
  public void linesGoToTheTopicAsTheyAre() throws Exception {
    fn.process("{\"a\":1}");
    fn.process("{\"b\":\"\u00e9\"}");
    fn.finish();

    assertThat(topic.lines(), contains("{\"a\":1}", "{\"b\":\"\u00e9\"}"));
    assertThat(
        topic.history().stream().map(ProducerRecord::topic).distinct().toList(),
        is(List.of(TOPIC)));
  }

  @Test
  public void letterThatIsTooLongIsShortenedAndStopsNoOther() throws Exception {
    String longLetter =
        letter(DebeziumRecord.of("pg.shop.orders", "{\"id\": 7}", "x".repeat(MOST_BYTES)));
    fn.process(longLetter);
    fn.process("{\"behind\":true}");
    fn.finish();

    assertThat(topic.lines().size(), is(2));
    assertThat(topic.lines().get(0), is("{\"behind\":true}"));
    assertThat(topic.lines().get(1).length(), is(lessThan(1_000)));
    JsonNode shortened = new ObjectMapper().readTree(topic.lines().get(1));
    assertThat(shortened.path("omittedFrom").asInt(), is(longLetter.length()));
    assertThat(shortened.path("stage").asText(), is("parse"));
    assertThat(shortened.path("reason").asText(), is("it is broken"));
    assertThat(shortened.path("topic").asText(), is("pg.shop.orders"));
    assertThat(shortened.path("key").asText(), is("{\"id\": 7}"));
    assertThat(shortened.has("value"), is(false));
    assertThat(shortened.has("encoded"), is(false));
  }

  @Test
  public void partsThatAreShortStay() throws Exception {
    String value = "y".repeat(9_000);
    String longLetter = letter(DebeziumRecord.of("t", "k".repeat(MOST_BYTES), value));
    fn.process(longLetter);
    fn.finish();

    JsonNode shortened = new ObjectMapper().readTree(topic.lines().get(0));
    assertThat(shortened.path("value").asText(), is(value));
    assertThat(shortened.has("key"), is(false));
  }

  @Test
  public void otherFailuresFailTheBundle() throws Exception {
    topic.unreachable = true;
    fn.process("{\"a\":1}");

    ExecutionException e = assertThrows(ExecutionException.class, fn::finish);
    assertThat(e.getCause(), is(instanceOf(TimeoutException.class)));
  }

  @Test
  public void nextBundleSendsNoneOfTheLast() throws Exception {
    fn.process("{\"a\":1}");
    fn.finish();
    fn.start();
    fn.process("{\"b\":2}");
    fn.finish();

    assertThat(topic.lines(), contains("{\"a\":1}", "{\"b\":2}"));
  }

  @Test
  public void producerIsClosedAtTheEnd() {
    fn.process("{\"a\":1}");
    fn.teardown();

    assertThat(topic.closed(), is(true));
  }
}
