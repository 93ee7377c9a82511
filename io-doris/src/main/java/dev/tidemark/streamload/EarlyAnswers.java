package dev.tidemark.streamload;

import com.google.common.base.Throwables;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Sends a request as Doris needs it. While a body is sent, another thread reads: a backend that
 * refuses a load answers before it has read the body, and may read no more of it, so that a client
 * which writes first and reads then would wait for ever. Nor does an answer get lost that a server
 * gave before it closed the connection.
 *
 * <p>The stock executor does neither, and sends the body after an early answer too unless that is
 * an error by its HTTP status; a backend says 200 to nearly everything.
 */
final class EarlyAnswers extends HttpRequestExecutor {
  /** Set in the context when the first byte is about to be sent. */
  static final String SENT = "tidemark.sent";

  /** How long an answer may still be on its way when a connection breaks. */
  private static final long GRACE_MILLIS = 2000;

  private final Timeout waitForContinue;
  private final Executor readers;

  EarlyAnswers(Timeout waitForContinue, Executor readers) {
    this.waitForContinue = waitForContinue;
    this.readers = readers;
  }

  @Override
  public ClassicHttpResponse execute(
      ClassicHttpRequest request,
      HttpClientConnection connection,
      HttpResponseInformationCallback informed,
      HttpContext context)
      throws IOException, HttpException {
    try {
      context.setAttribute(SENT, true);
      connection.sendRequestHeader(request);
      connection.flush();
      ClassicHttpResponse answer = null;
      if (request.getEntity() == null) {
        answer = receive(connection);
      } else {
        answer = beforeBody(connection);
        if (answer == null) {
          answer = exchange(request, connection);
        }
      }
      connection.receiveResponseEntity(answer);
      return answer;
    } catch (IOException | HttpException | RuntimeException e) {
      connection.close(CloseMode.IMMEDIATE);
      throw e;
    }
  }

  /** The final answer, if the server gives one at once instead of asking for the body. */
  private @Nullable ClassicHttpResponse beforeBody(HttpClientConnection connection)
      throws IOException, HttpException {
    if (!connection.isDataAvailable(waitForContinue)) {
      return null;
    }
    ClassicHttpResponse answer = connection.receiveResponseHeader();
    return isFinal(answer) ? answer : null;
  }

  private ClassicHttpResponse exchange(ClassicHttpRequest request, HttpClientConnection connection)
      throws IOException, HttpException {
    AtomicBoolean sending = new AtomicBoolean(true);
    FutureTask<ClassicHttpResponse> reading =
        new FutureTask<>(
            () -> {
              ClassicHttpResponse answer = receive(connection);
              if (sending.get() && connection instanceof QuietConnection) {
                ((QuietConnection) connection).stopSending();
              }
              return answer;
            });
    readers.execute(reading);
    try {
      connection.sendRequestEntity(request);
      connection.flush();
      sending.set(false);
    } catch (IOException broken) {
      sending.set(false);
      try {
        return reading.get(GRACE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException e) {
        broken.addSuppressed(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw broken;
    }
    return await(reading);
  }

  private static ClassicHttpResponse await(FutureTask<ClassicHttpResponse> reading)
      throws IOException, HttpException {
    try {
      return reading.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the answer");
    } catch (ExecutionException e) {
      Throwables.throwIfInstanceOf(e.getCause(), IOException.class);
      Throwables.throwIfInstanceOf(e.getCause(), HttpException.class);
      throw new IOException(e.getCause());
    }
  }

  /** The final answer; interim ones are passed over, also late ones that ask for the body. */
  private static ClassicHttpResponse receive(HttpClientConnection connection)
      throws IOException, HttpException {
    ClassicHttpResponse answer = connection.receiveResponseHeader();
    while (!isFinal(answer)) {
      answer = connection.receiveResponseHeader();
    }
    return answer;
  }

  private static boolean isFinal(ClassicHttpResponse answer) {
    return answer.getCode() >= HttpStatus.SC_SUCCESS;
  }
}
