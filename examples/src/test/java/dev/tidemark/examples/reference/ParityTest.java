package dev.tidemark.examples.reference;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Splitter;
import com.google.common.collect.Sets;
import com.google.common.io.Resources;
import dev.tidemark.action.MarkFinalPartitions;
import dev.tidemark.action.TagFinalPartitions;
import dev.tidemark.action.Webhook;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.change.DebeziumTable;
import dev.tidemark.change.ParseDebezium;
import dev.tidemark.datafile.FileOptions;
import dev.tidemark.doris.DorisTable;
import dev.tidemark.doris.DorisWrite;
import dev.tidemark.eventtime.EventTimeExtractor;
import dev.tidemark.finalization.IdleHandling;
import dev.tidemark.finalization.LateAlertOptions;
import dev.tidemark.iceberg.FinalizationOptions;
import dev.tidemark.iceberg.MergeChanges;
import dev.tidemark.iceberg.TableCreation;
import dev.tidemark.iceberg.WriteChanges;
import dev.tidemark.iceberg.WriteRows;
import dev.tidemark.merge.MergeSource;
import dev.tidemark.merge.MergeSpec;
import dev.tidemark.streamload.RetryPolicy;
import dev.tidemark.upsert.MaterializeUpserts;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/**
 * What can be set in Java can be set without it, or {@code parity.tsv} says why not; and nothing
 * can be set anywhere that is not in that table, in the documentation and in the template's
 * metadata.
 */
@RunWith(JUnit4.class)
public class ParityTest {
  private static final Path ROOT = Path.of("..");
  private static final String NONE = "- ";
  private static final List<Class<?>> CONFIGURED =
      List.of(
          CatalogConfig.class,
          DebeziumTable.class,
          DorisTable.class,
          DorisWrite.class,
          EventTimeExtractor.class,
          FileOptions.class,
          FinalizationOptions.class,
          IdleHandling.class,
          LateAlertOptions.class,
          MarkFinalPartitions.class,
          MaterializeUpserts.class,
          MergeChanges.class,
          MergeSource.class,
          MergeSpec.class,
          ParseDebezium.class,
          RetryPolicy.class,
          TableCreation.class,
          TagFinalPartitions.class,
          Webhook.class,
          WriteChanges.class,
          WriteRows.class);

  private record Line(String setter, String field, String option) {}

  @Test
  public void eachSetterIsInTheTable() throws Exception {
    Set<String> setters = new TreeSet<>();
    for (Class<?> type : CONFIGURED) {
      for (Method method : type.getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers())
            && !Modifier.isStatic(method.getModifiers())
            && !method.isSynthetic()
            && method.getReturnType().equals(type)) {
          setters.add(type.getSimpleName() + "." + method.getName());
        }
      }
    }
    assertThat(setters.size(), greaterThan(90));
    assertThat(
        setters, is(names(lines().stream().map(Line::setter).filter(s -> !s.isEmpty()).toList())));
  }

  @Test
  public void eachFieldIsInTheTable() throws Exception {
    Set<String> fields = new TreeSet<>();
    SchemaTransformTables.providers()
        .forEach(
            (urn, provider) ->
                addFields(
                    Splitter.on(':').splitToList(urn).get(3) + ".",
                    provider.configurationSchema(),
                    fields));
    assertThat(fields.size(), greaterThan(100));
    assertThat(fields, is(names(lines().stream().map(Line::field).toList())));
  }

  private static void addFields(String path, Schema schema, Set<String> fields) {
    for (Schema.Field field : schema.getFields()) {
      String name = path + field.getName();
      fields.add(name);
      FieldType type = field.getType();
      if (type.getRowSchema() != null && !field.getName().equals("error_handling")) {
        addFields(name + ".", type.getRowSchema(), fields);
      }
      FieldType element = type.getCollectionElementType();
      if (element != null && element.getRowSchema() != null) {
        addFields(name + "[].", element.getRowSchema(), fields);
      }
    }
  }

  @Test
  public void eachOptionOfTheTemplateIsInTheTable() throws Exception {
    Set<String> options = new TreeSet<>();
    for (JsonNode parameter : metadata().get("parameters")) {
      options.add(parameter.get("name").textValue());
    }
    assertThat(options.size(), greaterThan(40));
    assertThat(options, is(names(lines().stream().map(Line::option).toList())));
  }

  @Test
  public void eachFieldAndOptionIsDocumented() throws Exception {
    String page = Files.readString(ROOT.resolve(ReferencePage.PAGE));
    String manual = Files.readString(ROOT.resolve("docs/reference-cdc-pipeline.md"));
    for (Line line : lines()) {
      if (!line.field().startsWith(NONE)) {
        String field = line.field().substring(line.field().indexOf('.') + 1);
        assertThat(page, containsString("| `" + field + "` | "));
      }
      if (!line.option().startsWith(NONE)) {
        assertThat(page, containsString("| `--" + line.option() + "` | "));
        assertThat(manual, containsString("| `--" + line.option() + "` | "));
      }
    }
  }

  @Test
  public void eachFieldHasADescription() {
    Set<String> undescribed = new TreeSet<>();
    SchemaTransformTables.providers()
        .forEach(
            (urn, provider) -> addUndescribed(urn, provider.configurationSchema(), undescribed));
    assertThat(undescribed, is(empty()));
  }

  private static void addUndescribed(String path, Schema schema, Set<String> undescribed) {
    for (Schema.Field field : schema.getFields()) {
      boolean tellsDefault =
          !field.getType().getNullable() || field.getDescription().contains("Default: ");
      if (field.getDescription().isEmpty() || !tellsDefault) {
        undescribed.add(path + " " + field.getName());
      }
      if (field.getType().getRowSchema() != null) {
        addUndescribed(path + " " + field.getName(), field.getType().getRowSchema(), undescribed);
      }
    }
  }

  /** What cannot be set says why. */
  @Test
  public void gapsHaveAReason() throws Exception {
    List<String> reasons =
        lines().stream()
            .flatMap(line -> List.of(line.field(), line.option()).stream())
            .filter(each -> each.startsWith("-"))
            .map(each -> each.replaceFirst("^- ?", ""))
            .toList();
    assertThat(reasons.stream().map(String::length).toList(), everyItem(greaterThan(3)));
  }

  private static Set<String> names(List<String> column) {
    TreeSet<String> names = new TreeSet<>(column);
    return new TreeSet<>(Sets.filter(names, name -> !name.startsWith(NONE)));
  }

  private static JsonNode metadata() throws IOException {
    return new ObjectMapper()
        .readTree(Files.readString(ROOT.resolve("examples/templates/cdc-metadata.json")));
  }

  private static List<Line> lines() throws IOException {
    return Resources.readLines(Resources.getResource("parity.tsv"), StandardCharsets.UTF_8).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> Splitter.on('\t').splitToList(line))
        .map(columns -> new Line(columns.get(0), columns.get(1), columns.get(2)))
        .toList();
  }
}
