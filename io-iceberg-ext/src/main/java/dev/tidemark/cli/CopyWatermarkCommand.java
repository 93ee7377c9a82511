package dev.tidemark.cli;

import com.google.common.collect.ImmutableMap;
import dev.tidemark.commit.TidemarkKeys;
import dev.tidemark.sensor.Finalization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.catalog.TableIdentifier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives a base table the watermark of what it consumed. */
@Command(
    name = "copy-watermark",
    mixinStandardHelpOptions = true,
    description =
        "Moves the watermark of a base table as far as its change tables were finalized when it"
            + " consumed them; never beyond, never back.")
final class CopyWatermarkCommand extends ActVerb {
  @Option(
      names = "--from",
      required = true,
      paramLabel = "[NAME=]DB.TABLE",
      description =
          "A change table, by the name of the source that the base table has recorded; repeatable."
              + " The name may be left out where there is one source.")
  private List<String> from = new ArrayList<>();

  @Option(
      names = "--from-branch",
      defaultValue = TidemarkKeys.MAIN,
      paramLabel = "NAME",
      description = "The branch of the change tables. Default: ${DEFAULT-VALUE}.")
  private String fromBranch;

  CopyWatermarkCommand(Environment environment) {
    super(environment);
  }

  @Override
  public Integer call() {
    if (from.size() == 1 && !from.get(0).contains("=")) {
      Finalization source = source(from.get(0));
      return act(operator -> operator.copyWatermark(source));
    }
    Map<String, Finalization> sources = new LinkedHashMap<>();
    for (String each : from) {
      int equals = each.indexOf('=');
      if (equals < 1 || sources.containsKey(each.substring(0, equals))) {
        throw usage(
            "Invalid --from: %s (must be NAME=DB.TABLE, each name once, where there are several)"
                .formatted(each));
      }
      sources.put(each.substring(0, equals), source(each.substring(equals + 1)));
    }
    ImmutableMap<String, Finalization> all = ImmutableMap.copyOf(sources);
    return act(operator -> operator.copyWatermark(all));
  }

  private Finalization source(String name) {
    TableIdentifier identifier = TableOptions.identifier(name, commandLine());
    try {
      return Finalization.of(table().catalog(commandLine()), identifier).branch(fromBranch);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()), e);
    }
  }
}
