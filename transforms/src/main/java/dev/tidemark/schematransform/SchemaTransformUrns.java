package dev.tidemark.schematransform;

/** The names under which other languages find Tidemark's transforms. */
public final class SchemaTransformUrns {
  private static final String PREFIX = "beam:schematransform:dev.tidemark:";
  private static final String VERSION = ":v1";

  private SchemaTransformUrns() {}

  /**
   * The URN of a transform. A transform whose fields change their meaning gets another version.
   *
   * @param name in snake case
   */
  public static String of(String name) {
    return PREFIX + name + VERSION;
  }
}
