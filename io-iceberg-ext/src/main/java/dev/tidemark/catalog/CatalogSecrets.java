package dev.tidemark.catalog;

/** Keeps the secrets of a catalog's configuration out of texts that people see. */
public final class CatalogSecrets {
  private CatalogSecrets() {}

  /**
   * The text with every value of the configuration hidden that {@link CatalogConfig#toString} does
   * not show either. For messages of drivers and file systems, which like to quote what they were
   * given.
   */
  public static String scrub(CatalogConfig config, String text) {
    return Redaction.scrub(text, Redaction.secrets(config));
  }
}
