package dev.tempest.sessions.servlet;

import dev.tempest.sessions.Sessions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** What a client has seen, which it carries from process to process in a cookie. */
record SeenByClient(Sessions sessions, SessionCookie cookie) {
  /** Only of a client that has a session; and of many cookies, what all say. */
  boolean isHere(HttpServletRequest request) {
    if (cookie.idsOf(request).isEmpty()) {
      return true;
    }
    try {
      return sessions.awaitSeen(cookie.seenOf(request));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Before the response goes out, and after the session was saved. */
  void tell(HttpServletRequest request, HttpServletResponse response) {
    String seen = sessions.seen(cookie.seenOf(request));
    if (!seen.isEmpty()) {
      SessionCookie.put(response, cookie.ofSeen(request, seen));
    }
  }
}
