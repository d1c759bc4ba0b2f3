package dev.tempest.http;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.catalina.AccessLog;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.AbstractProtocol;

/**
 * Counts the requests that a server answers, refuses more once it closes, and waits for the last.
 * Once there are many connections, it has new ones closed after a request. Tomcat itself refuses
 * what is no HTTP, and only logs it, here.
 */
final class InFlight extends ValveBase implements AccessLog {
  private static final String PASSED_ON = InFlight.class.getName();

  /** One party for each request, and one that leaves when the server closes. */
  private final Phaser requests = new Phaser(1);

  private final int connectionsKept;
  private final Answers answers;
  private volatile boolean closing;

  /** Keeps that many connections for further requests. */
  InFlight(int connectionsKept, Answers answers) {
    super(true);
    this.answers = answers;
    this.connectionsKept = connectionsKept;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    if (closing || requests.register() < 0) {
      response.setHeader("Connection", "close");
      response.setHeader("Retry-After", "0");
      response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "This server closes");
      return;
    }
    if (connections(request) > connectionsKept) {
      response.setHeader("Connection", "close");
      answers.notKept();
    }
    try {
      if (!response.isError()) {
        request.setNote(PASSED_ON, true); // Whatever answers it counts that.
      }
      getNext().invoke(request, response);
    } finally {
      requests.arriveAndDeregister();
    }
  }

  @Override
  public void log(Request request, Response response, long nanos) {
    if (request.getNote(PASSED_ON) == null) {
      answers.answered(response.getStatus());
    }
  }

  @Override
  public void setRequestAttributesEnabled(boolean enabled) {
    // Nothing is written that they could change.
  }

  @Override
  public boolean getRequestAttributesEnabled() {
    return false;
  }

  private static long connections(Request request) {
    return request.getConnector().getProtocolHandler() instanceof AbstractProtocol<?> protocol
        ? protocol.getConnectionCount()
        : 0;
  }

  /** Refuses more, and waits for those under way; whether all have ended in time. */
  boolean drain(Duration patience) throws InterruptedException {
    closing = true;
    int phase = requests.arriveAndDeregister();
    try {
      requests.awaitAdvanceInterruptibly(phase, patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException late) {
      return false;
    }
  }
}
