package dev.tempest.sessions.tomcat;

import dev.tempest.sessions.Unwritten;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.Session;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/** Lets each request see what its client has seen, and saves what it has changed. */
final class SessionValve extends ValveBase {
  private final TempestManager manager;

  SessionValve(TempestManager manager) {
    super(true);
    this.manager = manager;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    Exchange exchange = new Exchange(manager, request, response);
    if (!exchange.awaitSeen()) {
      unavailable(response, "This server does not have your latest changes yet");
      return;
    }
    exchange.begin();
    try {
      bindToRoute(request);
      getNext().invoke(request, response);
      exchange.save();
      if (isUnwritten(request.getAttribute(RequestDispatcher.ERROR_EXCEPTION))
          && !response.isCommitted()) {
        unwritten(request, response);
      }
    } catch (RuntimeException failed) {
      if (!Unwritten.is(failed) || response.isCommitted()) {
        throw failed;
      }
      getContainer()
          .getLogger()
          .warn("A session could not be read or saved, and a request was refused with 503", failed);
      unwritten(request, response);
    } finally {
      exchange.end();
    }
  }

  /**
   * What the application was thrown, and did not catch, Tomcat has noted and logged by now. If it
   * has wrapped what is not of sessions, that is its own.
   */
  private boolean isUnwritten(@Nullable Object failure) {
    return failure instanceof Throwable thrown
        && (Unwritten.is(thrown) || manager.failures().caused(thrown));
  }

  private static void unwritten(Request request, Response response) throws IOException {
    request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION); // Else that counts for more.
    unavailable(response, "Your changes may not have been saved");
  }

  private static void unavailable(Response response, String why) throws IOException {
    response.setHeader("Retry-After", "1");
    response.sendError(Response.SC_SERVICE_UNAVAILABLE, why + ". Try again in a moment.");
  }

  /** Of a client that another Tomcat has served, the balancer sends the next requests here. */
  private void bindToRoute(Request request) {
    String route = manager.getJvmRoute();
    String id = request.getRequestedSessionId();
    if (route == null || id == null || id.endsWith("." + route)) {
      return;
    }
    Session session = manager.findSession(id);
    if (session != null) {
      request.changeSessionId(session.getIdInternal());
    }
  }
}
