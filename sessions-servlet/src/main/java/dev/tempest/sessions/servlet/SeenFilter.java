package dev.tempest.sessions.servlet;

import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.Unwritten;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets clients read their own writes at any process, where another filter behind this one makes and
 * saves the sessions; {@link SessionFilter} does it itself. A client that comes to a process which
 * lags behind what it has seen waits a moment; then it gets 503 with {@code Retry-After}, as it
 * does where sessions cannot be written as configured.
 */
public final class SeenFilter implements Filter {
  /** Of a request: why its session was not saved as configured. */
  private static final String UNSAVED = SeenFilter.class.getName() + ".UNSAVED";

  /** Of a request: what is known of its answer. */
  private static final String ANSWER = SeenFilter.class.getName() + ".ANSWER";

  private static final String SET_COOKIE = "Set-Cookie";
  private static final System.Logger LOGGER = System.getLogger(SeenFilter.class.getName());

  /** What filters before have made of the answer of a request, and who ends it. */
  private record Answer(OuterHeaders outer, LastWord lastWord) {
    static Answer of(HttpServletRequest request) {
      return (Answer) Objects.requireNonNull(request.getAttribute(ANSWER));
    }
  }

  /** The request that a thread answers. */
  private static final ThreadLocal<@Nullable HttpServletRequest> CURRENT = new ThreadLocal<>();

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

  /**
   * The client of the request that this thread answers gets 503 with {@code Retry-After}, and the
   * cookies that it was to get, whatever the application makes of that; unless a part of the
   * response has gone out.
   *
   * @param why the session was not saved as configured
   * @return false if this thread answers none
   */
  public static boolean refuse(RuntimeException why) {
    HttpServletRequest request = CURRENT.get();
    if (request == null) {
      return false;
    }
    request.setAttribute(UNSAVED, why);
    return true;
  }

  /** Whether that has been said of the request that this thread answers. */
  public static boolean isRefused() {
    HttpServletRequest request = CURRENT.get();
    return request != null && unsaved(request) != null;
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
    if (http.getAttribute(ANSWER) == null) { // Later dispatches have headers of the application.
      http.setAttribute(ANSWER, new Answer(OuterHeaders.of(answer), new LastWord()));
    }
    HttpServletRequest before = CURRENT.get();
    CURRENT.set(http);
    try {
      passOn(chain, http, answer);
    } finally {
      if (before == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(before);
      }
    }
  }

  private void passOn(FilterChain chain, HttpServletRequest request, HttpServletResponse answer)
      throws IOException, ServletException {
    SavingResponse saving = new SavingResponse(answer, () -> tell(request, answer));
    LastWord lastWord = Answer.of(request).lastWord();
    lastWord.enters();
    HttpServletRequest passed =
        SeenRequest.of(request, () -> lastWord.completes(() -> endAsync(request, answer)));
    try {
      chain.doFilter(passed, saving);
    } catch (IOException | ServletException | RuntimeException failed) {
      if (request.isAsyncStarted()) { // The response is another thread's.
        lastWord.leaves(() -> endAsync(request, answer));
        throw failed;
      }
      if (!refuses(request, answer, failed)) {
        saving.commits();
        throw failed;
      }
      return;
    }
    if (request.isAsyncStarted()) {
      lastWord.leaves(() -> endAsync(request, answer));
      return;
    }
    RuntimeException why = unsaved(request);
    if (why == null) {
      saving.commits();
    } else if (!refuses(request, answer, why)) {
      throw why;
    }
  }

  /** Of a request that went on: nobody is there to whom it could be thrown. */
  private void endAsync(HttpServletRequest request, HttpServletResponse answer) {
    RuntimeException why = unsaved(request);
    if (why == null) {
      if (!answer.isCommitted()) { // It may be the container's own, which tells nothing by itself.
        tell(request, answer);
      }
    } else if (!refuses(request, answer, why)) {
      LOGGER.log(Level.WARNING, "The session of a request that went on was not saved", why);
    }
  }

  /** Whether the client is told to try again: what else an application throws is its own. */
  private boolean refuses(
      HttpServletRequest request, HttpServletResponse answer, Exception failed) {
    RuntimeException noted = unsaved(request);
    Exception why = noted == null ? failed : noted;
    if (answer.isCommitted() || !Unwritten.is(why)) {
      return false;
    }
    if (Unwritten.in(failed).filter(why::equals).isEmpty()) {
      LOGGER.log(Level.WARNING, "A request failed, and its session was not saved", failed);
    }
    List<String> cookies = new ArrayList<>(answer.getHeaders(SET_COOKIE));
    SessionFilter.refuse(answer, Answer.of(request).outer(), why);
    request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION); // Else that counts for more.
    new OuterHeaders(Map.of(SET_COOKIE, cookies)).putBack(answer);
    seen.tell(request, answer); // What is saved, if at too few processes, the client is to find.
    return true;
  }

  private static @Nullable RuntimeException unsaved(HttpServletRequest request) {
    return request.getAttribute(UNSAVED) instanceof RuntimeException why ? why : null;
  }

  /** As often as the response may go out: sessions may be saved between, and the last counts. */
  private void tell(HttpServletRequest request, HttpServletResponse response) {
    RuntimeException why = unsaved(request);
    if (why != null) { // Nothing may go out but the refusal, also where the application caught why.
      throw why;
    }
    if (usesSession.test(request)) {
      seen.tell(request, response);
    }
  }
}
