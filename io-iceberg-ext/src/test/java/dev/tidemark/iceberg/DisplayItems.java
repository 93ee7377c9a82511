package dev.tidemark.iceberg;

import java.util.Map;
import java.util.TreeMap;
import org.apache.beam.sdk.transforms.display.DisplayData;
import org.apache.beam.sdk.transforms.display.HasDisplayData;

/** Reads display data. */
final class DisplayItems {
  private DisplayItems() {}

  /** Values as text, by path and key: {@code finalization/policy}. */
  static Map<String, String> of(HasDisplayData component) {
    Map<String, String> items = new TreeMap<>();
    for (DisplayData.Item item : DisplayData.from(component).items()) {
      String path = String.join("/", item.getPath().getComponents());
      items.put(
          path.isEmpty() ? item.getKey() : path + "/" + item.getKey(),
          String.valueOf(item.getValue()));
    }
    return items;
  }
}
