package dev.tidemark.examples.cdc;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.anyOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.examples.cdc.Parameters.Spec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.Test;

/**
 * The committed metadata and manual are those of the options; examples/templates.sh writes them.
 */
public class TemplateMetadataTest {
  private static final Path ROOT = Path.of("..");

  @Test
  public void committedMetadataAreThoseOfTheOptions() throws Exception {
    assertThat(
        Files.readString(ROOT.resolve(TemplateMetadata.METADATA)), is(TemplateMetadata.metadata()));
  }

  @Test
  public void manualHasTheOptions() throws Exception {
    String manual = Files.readString(ROOT.resolve(TemplateMetadata.MANUAL));
    assertThat(manual, is(TemplateMetadata.withTable(manual)));
  }

  @Test
  public void eachDescriptionTellsDefaultOrRequiredAndAnExample() {
    for (Spec spec : Parameters.all().values()) {
      String description = spec.description();
      assertThat(description, containsString("Example: --" + spec.name() + "="));
      assertThat(
          spec.name(), description, anyOf(containsString("Default: "), containsString("Required")));
      Object value = spec.defaultValue();
      if (value != null && !value.equals("") && !value.equals("{}")) {
        assertThat(description, containsString("Default: " + value));
      }
    }
  }

  @Test
  public void examplesAreValid() throws Exception {
    for (Spec spec : Parameters.all().values()) {
      String description = spec.description();
      String example =
          description.substring(description.indexOf("Example: ") + "Example: ".length());
      String value = example.substring(example.indexOf('=') + 1).replace("'", "");
      assertThat(
          spec.name() + " " + value,
          value.matches(spec.parameter().regex().isEmpty() ? ".*" : spec.parameter().regex()),
          is(true));
    }
  }

  @Test
  public void regexesOfTheMetadataTakeTheDefaults() throws Exception {
    JsonNode metadata = new ObjectMapper().readTree(TemplateMetadata.metadata());
    for (JsonNode parameter : metadata.get("parameters")) {
      if (parameter.has("regexes") && parameter.has("defaultValue")) {
        Pattern regex = Pattern.compile(parameter.get("regexes").get(0).textValue());
        String value = parameter.get("defaultValue").textValue();
        assertThat(parameter.get("name").textValue(), regex.matcher(value).find(), is(true));
      }
    }
  }
}
