package dev.tempest.sessions.tomcat;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.Session;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

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
    if (!hasSeen(exchange)) {
      response.setHeader("Retry-After", "1");
      response.sendError(
          Response.SC_SERVICE_UNAVAILABLE,
          "This server does not have your latest changes yet. Try again in a moment.");
      return;
    }
    bindToRoute(request);
    exchange.begin();
    try {
      getNext().invoke(request, response);
      exchange.save();
    } finally {
      exchange.end();
    }
  }

  private boolean hasSeen(Exchange exchange) {
    try {
      for (String seen : exchange.brought()) {
        if (!manager.shared().awaitSeen(seen)) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
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
