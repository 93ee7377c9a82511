package dev.tidemark.examples.cdc;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.Assert.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.change.DebeziumRecordCoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.util.CoderUtils;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a dead letter holds, and where it is. */
public class WriteDeadLettersTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-02-03T23:59:59Z"), ZoneOffset.UTC);

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  @Rule public final transient TestPipeline pipeline = TestPipeline.create();

  @Test
  public void letterOfAnEventHoldsAllOfIt() throws Exception {
    DebeziumRecord event = DebeziumRecord.of("t", "{\"id\": 1}", "{broken");
    BadRecord failed =
        BadRecord.builder()
            .setRecord(
                BadRecord.Record.builder()
                    .setHumanReadableJsonRecord("{}")
                    .addCoderAndEncodedRecord(DebeziumRecordCoder.of(), event)
                    .build())
            .setFailure(BadRecord.Failure.builder().setDescription("it is broken").build())
            .build();
    JsonNode letter = new ObjectMapper().readTree(new DeadLetterText("parse").apply(failed));
    assertThat(letter.get("stage").textValue(), is("parse"));
    assertThat(letter.get("reason").textValue(), containsString("it is broken"));
    assertThat(letter.get("topic").textValue(), is("t"));
    assertThat(letter.get("key").textValue(), is("{\"id\": 1}"));
    assertThat(letter.get("value").textValue(), is("{broken"));
    byte[] encoded = Base64.getDecoder().decode(letter.get("encoded").textValue());
    assertThat(CoderUtils.decodeFromByteArray(DebeziumRecordCoder.of(), encoded), is(event));
  }

  @Test
  public void letterOfAnotherRecordHoldsItsBytes() throws Exception {
    BadRecord failed =
        BadRecord.builder()
            .setRecord(
                BadRecord.Record.builder()
                    .setHumanReadableJsonRecord("{\"table\":\"orders\"}")
                    .addCoderAndEncodedRecord(StringUtf8Coder.of(), "row")
                    .build())
            .setFailure(BadRecord.Failure.builder().setDescription("no").build())
            .build();
    JsonNode letter = new ObjectMapper().readTree(new DeadLetterText("doris.orders").apply(failed));
    assertThat(letter.get("record").textValue(), is("{\"table\":\"orders\"}"));
    byte[] encoded = Base64.getDecoder().decode(letter.get("encoded").textValue());
    assertThat(CoderUtils.decodeFromByteArray(StringUtf8Coder.of(), encoded), is("row"));
    assertThat(letter.has("topic"), is(false));
  }

  @Test
  public void folderGetsAllLinesUnderTheirDay() throws Exception {
    pipeline
        .apply(Create.of("{\"a\":1}", "{\"b\":2}", "{\"c\":3}"))
        .apply(
            ParDo.of(
                new WriteFolderFn(
                    "deadLetterFolder",
                    StaticValueProvider.of(folder.getRoot().toString()),
                    CLOCK)));
    pipeline.run();
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder.getRoot().toPath().resolve("2026-02-03"))) {
      for (Path file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    assertThat(lines, containsInAnyOrder("{\"a\":1}", "{\"b\":2}", "{\"c\":3}"));
  }

  @Test
  public void folderWithoutAFileSystemIsRefusedBeforeTheFirstLetter() {
    WriteFolderFn fn =
        new WriteFolderFn("deadLetterFolder", StaticValueProvider.of("s3://letters/shop"), CLOCK);
    assertThat(
        assertThrows(IllegalArgumentException.class, fn::setup).getMessage(),
        allOf(
            startsWith("Option --deadLetterFolder is s3://letters/shop, and no file system"),
            containsString("beam-sdks-java-io-amazon-web-services2")));
  }
}
