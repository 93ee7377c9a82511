package dev.tidemark.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import dev.tidemark.doris.emulator.DorisEmulator;
import java.io.IOException;

/** The tables' rows in Doris, in whose place an emulator on loopback stands. */
public final class ServingTables {
  /** The database of the tables. */
  public static final String DATABASE = "shop";

  /** The user that the emulator knows. */
  public static final String USER = "demo";

  /** The user's password. */
  public static final String PASSWORD = "demo-password";

  private ServingTables() {}

  /** Starts an emulator that has the empty tables of the shop. */
  public static DorisEmulator start() throws IOException {
    DorisEmulator doris = DorisEmulator.builder().user(USER).password(PASSWORD).start();
    String statements =
        Resources.toString(
            Resources.getResource(ServingTables.class, "/templates/shop-doris.sql"), UTF_8);
    Splitter.on(';').trimResults().omitEmptyStrings().split(statements).forEach(doris::createTable);
    return doris;
  }
}
