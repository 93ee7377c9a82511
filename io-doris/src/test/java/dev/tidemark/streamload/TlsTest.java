package dev.tidemark.streamload;

import static dev.tidemark.streamload.NoSecrets.noSecrets;
import static dev.tidemark.streamload.NoSecrets.printed;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** Both legs over TLS, with certificates that only a trust store of its own knows. */
@RunWith(JUnit4.class)
public final class TlsTest {
  private static final String STORE_PASSWORD = "store-password";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private File store;
  private SSLContext server;

  @Before
  public void makeCertificate() throws Exception {
    store = new File(folder.getRoot(), "doris.p12");
    server = context(store, "san=ip:127.0.0.1,dns:localhost");
  }

  private static SSLContext context(File store, String names)
      throws IOException, InterruptedException, GeneralSecurityException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "doris",
                "-keyalg",
                "EC",
                "-dname",
                "CN=doris",
                "-ext",
                names,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.getPath(),
                "-storepass",
                STORE_PASSWORD)
            .inheritIO()
            .start();
    assertThat(keytool.waitFor(), is(0));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(
        KeyStore.getInstance(store, STORE_PASSWORD.toCharArray()), STORE_PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static void loads(ScriptedServer.Exchange exchange) throws IOException {
    exchange.goOn().readBody();
    exchange.answer(200, Fixtures.success());
  }

  @Test
  public void loadsOverTlsOnBothLegs() throws IOException {
    try (ScriptedServer backend = ScriptedServer.startTls(server, TlsTest::loads);
        ScriptedServer frontend =
            ScriptedServer.startTls(
                server, exchange -> exchange.redirect(Fixtures.location(backend)));
        StreamLoadClient client =
            StreamLoadClient.open(
                Fixtures.cluster(frontend.address())
                    .withTrustStore(store.getPath(), STORE_PASSWORD))) {
      LoadAnswer answer = client.load(Fixtures.request(new byte[3 << 20]));
      assertThat(answer.status(), is(LoadStatus.SUCCESS));
      assertThat(backend.exchanges().get(0).bodyBytes(), is(3L << 20));
    }
  }

  @Test
  public void answerGivenWhileTheBodyIsSentIsReadOverTls() throws IOException {
    try (ScriptedServer backend =
            ScriptedServer.startTls(
                server,
                exchange -> {
                  exchange.goOn();
                  exchange.answer(200, Fixtures.success().replace("OK", "early"));
                  exchange.hang();
                });
        ScriptedServer frontend =
            ScriptedServer.startTls(
                server, exchange -> exchange.redirect(Fixtures.location(backend)));
        StreamLoadClient client =
            StreamLoadClient.open(
                Fixtures.cluster(frontend.address())
                    .withTrustStore(store.getPath(), STORE_PASSWORD))) {
      assertThat(client.load(Fixtures.request(new byte[32 << 20])).message(), is("early"));
    }
  }

  @Test
  public void redirectFromHttpsToHttpIsRefused() throws IOException {
    try (ScriptedServer backend = ScriptedServer.start(TlsTest::loads);
        ScriptedServer frontend =
            ScriptedServer.startTls(
                server, exchange -> exchange.redirect(Fixtures.location(backend)));
        StreamLoadClient client =
            StreamLoadClient.open(
                Fixtures.cluster(frontend.address())
                    .withTrustStore(store.getPath(), STORE_PASSWORD))) {
      LoadException failure =
          assertThrows(LoadException.class, () -> client.load(Fixtures.request()));
      assertThat(failure.kind(), is(LoadException.Kind.REDIRECT_REFUSED));
      assertThat(failure.getMessage(), containsString("in the clear"));
      assertThat(printed(failure), noSecrets());
      assertThat(backend.exchanges(), hasSize(0));
    }
  }

  @Test
  public void unknownCertificateIsRefusedBeforeAnythingIsSent() throws IOException {
    try (ScriptedServer frontend = ScriptedServer.startTls(server, TlsTest::loads);
        StreamLoadClient client = StreamLoadClient.open(Fixtures.cluster(frontend.address()))) {
      LoadException failure =
          assertThrows(LoadException.class, () -> client.load(Fixtures.request()));
      assertThat(failure.kind(), is(LoadException.Kind.UNAVAILABLE));
      assertThat(failure.getMessage(), containsString("certification path"));
      assertThat(frontend.exchanges(), hasSize(0));
    }
  }

  @Test
  public void certificateOfAnotherHostIsRefused() throws Exception {
    File other = new File(folder.getRoot(), "other.p12");
    SSLContext elsewhere = context(other, "san=dns:elsewhere.example");
    try (ScriptedServer frontend = ScriptedServer.startTls(elsewhere, TlsTest::loads);
        StreamLoadClient client =
            StreamLoadClient.open(
                Fixtures.cluster(frontend.address())
                    .withTrustStore(other.getPath(), STORE_PASSWORD))) {
      LoadException failure =
          assertThrows(LoadException.class, () -> client.load(Fixtures.request()));
      assertThat(failure.kind(), is(LoadException.Kind.UNAVAILABLE));
      assertThat(frontend.exchanges(), hasSize(0));
    }
  }

  @Test
  public void trustStoreThatCannotBeReadIsNamedWithoutItsPassword() {
    for (String file : new String[] {store.getPath(), folder.getRoot() + "/absent"}) {
      IllegalArgumentException failure =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  StreamLoadClient.open(
                      Fixtures.cluster("fe:8030").withTrustStore(file, Fixtures.PASSWORD)));
      assertThat(failure.getMessage(), containsString(file));
      assertThat(printed(failure), noSecrets());
    }
  }
}
