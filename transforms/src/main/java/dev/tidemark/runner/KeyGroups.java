package dev.tidemark.runner;

import java.io.Serializable;

/**
 * The groups into which a runner hashes keys. Worker {@code w} of {@code n} has the groups from
 * {@code ceil(w * count / n)} on.
 */
public interface KeyGroups extends Serializable {

  /** How many groups there are; fixed for the life of the state. */
  int count();

  /**
   * The group of a key.
   *
   * @param encodedKey the bytes that the key's coder makes of it in a nested context
   */
  int groupOf(byte[] encodedKey);
}
