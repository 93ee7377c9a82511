package dev.tidemark.upsert;

import dev.tidemark.candidates.CandidateStoreProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.apache.beam.sdk.util.common.ReflectHelpers;

/** Finds the store of candidates on the class path. */
final class CandidateStores {
  private CandidateStores() {}

  /**
   * The only provider.
   *
   * @throws IllegalStateException if there is none, or more than one
   */
  static CandidateStoreProvider provider() {
    List<CandidateStoreProvider> providers = new ArrayList<>();
    ServiceLoader.load(CandidateStoreProvider.class, ReflectHelpers.findClassLoader())
        .forEach(providers::add);
    return only(providers);
  }

  static CandidateStoreProvider only(List<CandidateStoreProvider> providers) {
    if (providers.isEmpty()) {
      throw new IllegalStateException(
          "Cannot keep candidates: no store is on the class path. Add dev.tidemark:tidemark-state-backend");
    }
    if (providers.size() > 1) {
      throw new IllegalStateException(
          String.format(
              "Cannot keep candidates: more than one store is on the class path: %s. Remove all but one",
              providers.stream()
                  .map(provider -> provider.getClass().getName())
                  .sorted()
                  .collect(Collectors.joining(", "))));
    }
    return providers.get(0);
  }
}
