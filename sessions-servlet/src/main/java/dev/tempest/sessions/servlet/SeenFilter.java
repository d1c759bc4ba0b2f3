package dev.tempest.sessions.servlet;

import dev.tempest.sessions.Sessions;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * Lets clients read their own writes at any process, where another filter behind this one makes and
 * saves the sessions; {@link SessionFilter} does it itself. A client that comes to a process which
 * lags behind what it has seen waits a moment; then it gets 503 with {@code Retry-After}, as it
 * does where sessions cannot be written.
 */
public final class SeenFilter implements Filter {
  private final SeenByClient seen;
  private final Predicate<HttpServletRequest> usesSession;

  private SeenFilter(SeenByClient seen, Predicate<HttpServletRequest> usesSession) {
    this.seen = seen;
    this.usesSession = usesSession;
  }

  /**
   * A filter for these sessions, which whoever opened them closes.
   *
   * @param cookie the one with the ids of sessions; that with what clients have seen is like it
   * @param usesSession whether a request that is about to be answered has a session: others leave
   *     the cookie as it is
   */
  public static SeenFilter of(
      Sessions sessions, SessionCookie cookie, Predicate<HttpServletRequest> usesSession) {
    return new SeenFilter(new SeenByClient(sessions, cookie), usesSession);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!(request instanceof HttpServletRequest http)
        || !(response instanceof HttpServletResponse answer)) {
      chain.doFilter(request, response);
      return;
    }
    if (http.getDispatcherType() == DispatcherType.REQUEST && !seen.isHere(http)) {
      SessionFilter.unavailable(answer);
      return;
    }
    SavingResponse saving = new SavingResponse(answer, () -> tell(http, answer));
    try {
      try {
        chain.doFilter(http, saving);
      } finally {
        if (!http.isAsyncStarted()) { // Else the response is another thread's.
          saving.commits();
        }
      }
    } catch (RuntimeException failed) {
      SessionFilter.unavailableIfUnwritten(saving, failed);
    }
  }

  /** As often as the response may go out: sessions may be saved between, and the last counts. */
  private void tell(HttpServletRequest request, HttpServletResponse response) {
    if (usesSession.test(request)) {
      seen.tell(request, response);
    }
  }
}
