package dev.tempest.sessions.tomcat;

import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.Cookie;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.ApplicationSessionCookieConfig;
import org.apache.catalina.util.SessionConfig;
import org.jspecify.annotations.Nullable;

/** A request that a thread answers, with the sessions that it uses. */
final class Exchange {
  private static final ThreadLocal<@Nullable Exchange> CURRENT = new ThreadLocal<>();

  /** As many as a client can have for paths one in another; more are no mistake. */
  private static final int SEEN_MAX = 4;

  private final TempestManager manager;
  private final Request request;
  private final Response response;
  private final List<String> brought;
  private final Set<TempestSession> used = Collections.newSetFromMap(new IdentityHashMap<>());

  Exchange(TempestManager manager, Request request, Response response) {
    this.manager = manager;
    this.request = request;
    this.response = response;
    this.brought = brought(request);
  }

  /** What the client says that it has seen, which may be anything. */
  private static List<String> brought(Request request) {
    List<String> values = new ArrayList<>();
    Cookie[] cookies = request.getCookies();
    if (cookies == null || request.getRequestedSessionId() == null) {
      return values;
    }
    String name = cookieName(request);
    for (Cookie each : cookies) {
      if (each.getName().equals(name) && values.size() < SEEN_MAX) {
        values.add(each.getValue());
      }
    }
    return values;
  }

  private static String cookieName(Request request) {
    return SessionConfig.getSessionCookieName(request.getContext()) + "_SEEN";
  }

  /** Waits until this Tomcat has seen what the client has; false if it lags behind. */
  boolean awaitSeen() {
    try {
      return manager.shared().awaitSeen(brought);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Makes it the one of this thread. */
  void begin() {
    CURRENT.set(this);
  }

  void end() {
    CURRENT.remove();
  }

  /** The request of this thread, if it answers one, has used a session or written it. */
  static void uses(TempestSession session) {
    Exchange current = CURRENT.get();
    if (current != null) {
      current.used.add(session);
      current.tellSeen();
    }
  }

  /** What has changed in place is saved before the response goes out. */
  void save() {
    if (!request.isAsync()) { // Else at its end.
      used.forEach(TempestSession::saveChangedInPlace);
    }
    if (!used.isEmpty()) {
      tellSeen();
    }
  }

  /** Unless the client has said the same. */
  private void tellSeen() {
    if (response.isCommitted()) {
      return;
    }
    String seen = manager.shared().seen(brought);
    if (!seen.isEmpty()) {
      addCookie(seen);
    }
  }

  /** As the cookie of the session, and never for scripts. */
  private void addCookie(String seen) {
    var context = request.getContext();
    if (!context
        .getServletContext()
        .getEffectiveSessionTrackingModes()
        .contains(SessionTrackingMode.COOKIE)) {
      return;
    }
    Cookie ofSession =
        ApplicationSessionCookieConfig.createSessionCookie(context, "", request.isSecure());
    Cookie cookie = new Cookie(cookieName(request), seen);
    ofSession.getAttributes().forEach(cookie::setAttribute);
    cookie.setHttpOnly(true);
    response.addSessionCookieInternal(cookie);
  }
}
