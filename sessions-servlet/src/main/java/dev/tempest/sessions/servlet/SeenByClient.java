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
      for (String seen : cookie.seenOf(request)) {
        if (!sessions.awaitSeen(seen)) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Before the response goes out, and after the session was saved. */
  void tell(HttpServletRequest request, HttpServletResponse response) {
    String seen = sessions.seen();
    if (!seen.isEmpty() && cookie.seenOf(request).stream().noneMatch(told -> isSame(told, seen))) {
      response.addCookie(cookie.ofSeen(request, seen));
    }
  }

  /** But for when it was told. */
  private static boolean isSame(String told, String seen) {
    String what = seen.substring(seen.indexOf('.'));
    return told.endsWith(what);
  }
}
