package dev.tidemark.iceberg;

import static dev.tidemark.iceberg.Warehouse.ORDER;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.Assert.assertThrows;

import dev.tidemark.datafile.RowSchemas;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class TableCreationTest {
  private static final Schema NESTED =
      Schema.builder()
          .addFields(ORDER.getFields())
          .addRowField("source", Schema.builder().addField("ts", FieldType.DATETIME).build())
          .build();

  @Test
  public void eachTransformIsRead() {
    assertThat(
        fields(
            "region",
            "identity(id)",
            "hour(placed)",
            "bucket(16, id)",
            "truncate(3, region)",
            "void(region)"),
        contains(
            "region: identity",
            "id: identity",
            "placed_hour: hour",
            "id_bucket: bucket[16]",
            "region_trunc: truncate[3]",
            "region_null: void"));
    assertThat(fields("year(placed)"), contains("placed_year: year"));
    assertThat(fields("month(placed)"), contains("placed_month: month"));
    assertThat(fields("day(placed)"), contains("placed_day: day"));
  }

  @Test
  public void blanksDoNotMatter() {
    assertThat(
        fields("  hour( placed ) ", "bucket(  4,id)"),
        contains("placed_hour: hour", "id_bucket: bucket[4]"));
  }

  @Test
  public void columnsInStructsAreNamedByPath() {
    assertThat(fields("day(source.ts)"), contains("source.ts_day: day"));
  }

  @Test
  public void laterFieldsTakeThePlaceOfEarlierOnes() {
    TableCreation creation =
        TableCreation.unpartitioned().withPartitions("region").withPartitions("id");

    assertThat(creation.partitions(), contains("id"));
  }

  @Test
  public void fieldsThatCannotBeReadAreRefusedAtOnce() {
    for (String field :
        List.of(
            "",
            "hour()",
            "hour(placed",
            "minute(placed)",
            "bucket(id)",
            "bucket(x, id)",
            "bucket(-1, id)",
            "bucket(99999999999, id)",
            "truncate(region, 3)",
            "a,b")) {
      IllegalArgumentException e =
          assertThrows(
              field,
              IllegalArgumentException.class,
              () -> TableCreation.unpartitioned().withPartitions(field));
      assertThat(e.getMessage(), containsString("Invalid partition field: " + field));
      assertThat(e.getMessage(), containsString("must be a column, or one of"));
    }
  }

  @Test
  public void fieldsThatDoNotFitTheSchemaAreRefusedWithItsColumns() {
    for (String field :
        List.of("shipped", "hour(region)", "bucket(0, id)", "truncate(2, placed)")) {
      IllegalArgumentException e =
          assertThrows(field, IllegalArgumentException.class, () -> fields(field));
      assertThat(e.getMessage(), containsString("Cannot partition a table by [" + field + "]"));
      assertThat(e.getMessage(), containsString("region string"));
    }
  }

  @Test
  public void propertiesComeBeforeTheDefaults() {
    TableCreation creation =
        TableCreation.unpartitioned()
            .withProperties(Map.of("write.metadata.compression-codec", "none", "owner", "shop"));

    Map<String, String> all = creation.allProperties(new InMemoryCatalog());

    assertThat(all, hasEntry("write.metadata.compression-codec", "none"));
    assertThat(all, hasEntry("write.metadata.delete-after-commit.enabled", "true"));
    assertThat(all, hasEntry("owner", "shop"));
  }

  @Test
  public void itTravelsWithThePipeline() {
    TableCreation creation =
        TableCreation.unpartitioned()
            .withPartitions("hour(placed)")
            .withProperties(Map.of("a", "b"))
            .withLocation("/there");

    assertThat(SerializableUtils.clone(creation), is(creation));
  }

  @Test
  public void displayDataShowsNoValuesOfProperties() {
    Map<String, String> items =
        DisplayItems.of(
            TableCreation.unpartitioned()
                .withPartitions("hour(placed)", "region")
                .withProperties(Map.of("encryption.key", "s3cret"))
                .withLocation("/there"));

    assertThat(items, hasEntry("partitions", "[hour(placed), region]"));
    assertThat(items, hasEntry("properties", "encryption.key"));
    assertThat(items, hasEntry("location", "/there"));
    assertThat(items.toString(), not(containsString("s3cret")));
  }

  private static List<String> fields(String... partitions) {
    PartitionSpec spec =
        TableCreation.unpartitioned().withPartitions(partitions).spec(RowSchemas.toIceberg(NESTED));
    return spec.fields().stream().map(field -> field.name() + ": " + field.transform()).toList();
  }
}
