package dev.tidemark.streamload;

import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A complete answer.
 *
 * @param server who gave it
 * @param code the status
 * @param location where to go instead, or null
 * @param text at most as many bytes as were asked for, decoded
 * @param cut whether there was more
 */
record HttpAnswer(
    ServerAddress server, int code, @Nullable String location, String text, boolean cut) {

  boolean redirects() {
    return code >= 300 && code < 400;
  }
}
