package dev.tempest.sessions.servlet;

import dev.tempest.Node;
import dev.tempest.Registration;
import dev.tempest.Tempest;
import dev.tempest.admin.NodeMonitor;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.SessionsConfig;
import dev.tempest.sessions.Unwritten;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EventListener;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives a web application sessions that all its processes share, in any container of Jakarta
 * servlets: {@code request.getSession()} is one of them. Comes first, but for a filter for CORS,
 * whose headers a refusal then keeps; with {@code async-supported}, for all paths and dispatches:
 * what a dispatch sets to which it is not mapped may reach its client's next request too late.
 *
 * <p>What a request has set is saved before its response goes out, or, where the response is larger
 * than its buffer, before the first part does and once more at the end. A client that comes to a
 * process which lags behind what it has seen waits a moment; then it gets 503 with {@code
 * Retry-After}, as it does where sessions cannot be written.
 *
 * <pre>{@code
 * SessionFilter filter = SessionFilter.of(sessions, SessionCookie.defaults());
 * FilterRegistration.Dynamic registered = servletContext.addFilter("sessions", filter);
 * registered.setAsyncSupported(true);
 * registered.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
 * }</pre>
 *
 * <p>A container tells the listeners of {@code web.xml} of its own sessions only: those that want
 * to hear of these are given to {@link #of}. {@code sessionCreated} is told while the session is
 * saved, and must not wait for another thread that uses it.
 */
public final class SessionFilter implements Filter {
  private static final System.Logger LOGGER = System.getLogger(SessionFilter.class.getName());
  private static final String STATE = SessionFilter.class.getName();

  private final SessionCookie cookie;
  private final List<EventListener> listeners;
  private @Nullable Sessions sessions;
  private @Nullable SessionEvents events;
  private @Nullable Node ownNode;
  private @Nullable Registration registration;

  /**
   * For {@code web.xml}: joins the cluster that {@code tempest.yaml} or {@code TEMPEST_} variables
   * describe when the application starts, and leaves it when it stops. What tells of its node is
   * the attribute {@code dev.tempest.admin.NodeMonitor} of the servlet context.
   */
  public SessionFilter() {
    this(null, SessionCookie.defaults(), List.of());
  }

  private SessionFilter(
      @Nullable Sessions sessions, SessionCookie cookie, List<EventListener> listeners) {
    this.sessions = sessions;
    this.cookie = cookie;
    this.listeners = listeners;
  }

  /**
   * A filter for these sessions, which whoever opened them closes.
   *
   * @param listeners that are told of sessions: {@code HttpSessionListener}s, {@code
   *     HttpSessionAttributeListener}s and {@code HttpSessionIdListener}s
   */
  public static SessionFilter of(
      Sessions sessions, SessionCookie cookie, EventListener... listeners) {
    return new SessionFilter(Objects.requireNonNull(sessions), cookie, List.of(listeners));
  }

  @Override
  public void init(FilterConfig config) {
    if (sessions == null) {
      ownNode = Tempest.join();
      sessions = Sessions.of(ownNode, SessionsConfig.builder().build());
      config.getServletContext().setAttribute(NodeMonitor.class.getName(), ownNode.monitor());
    }
    events = new SessionEvents(config.getServletContext(), listeners);
    registration = sessions.listen(events);
  }

  @Override
  public void destroy() {
    if (registration != null) {
      registration.close();
    }
    if (ownNode != null && sessions != null) {
      sessions.close();
      ownNode.close();
    }
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!(request instanceof HttpServletRequest http)
        || !(response instanceof HttpServletResponse answer)) {
      chain.doFilter(request, response);
      return;
    }
    DispatcherType kind = http.getDispatcherType();
    RequestSession state;
    if (http.getAttribute(STATE) instanceof RequestSession already) {
      state = already;
    } else {
      SeenByClient seen = new SeenByClient(Objects.requireNonNull(sessions), cookie);
      if (!seen.isHere(http)) {
        unavailable(answer);
        return;
      }
      kind = DispatcherType.REQUEST;
      state = new RequestSession(seen, Objects.requireNonNull(events), http, answer);
      http.setAttribute(STATE, state);
    }
    ServletRequest asked = isShared(http) ? http : new SessionRequest(http, state);
    switch (kind) {
      case REQUEST -> passOn(chain, asked, state.response(), state);
      case ERROR -> passOn(chain, asked, state.responseOfError(), state);
      case ASYNC -> passOn(chain, asked, isSaving(answer) ? answer : state.response(), state);
      case INCLUDE -> chain.doFilter(asked, answer);
      case FORWARD -> {
        chain.doFilter(asked, answer);
        end(asked, state); // What called it closes the response.
      }
    }
  }

  private static boolean isShared(HttpServletRequest request) {
    return request instanceof SessionRequest
        || (request instanceof ServletRequestWrapper wrapper
            && wrapper.isWrapperFor(SessionRequest.class));
  }

  private static boolean isSaving(HttpServletResponse response) {
    return response instanceof SavingResponse
        || (response instanceof ServletResponseWrapper wrapper
            && wrapper.isWrapperFor(SavingResponse.class));
  }

  private static void passOn(
      FilterChain chain, ServletRequest request, ServletResponse response, RequestSession state)
      throws IOException, ServletException {
    try {
      passOnAndSave(chain, request, response, state);
    } catch (IOException | ServletException | RuntimeException failed) {
      if (!refuses(state, failed)) {
        throw failed;
      }
      state.refused();
    }
  }

  /** What was set is saved, also of a request that fails; if neither succeeds, that it is not. */
  private static void passOnAndSave(
      FilterChain chain, ServletRequest request, ServletResponse response, RequestSession state)
      throws IOException, ServletException {
    try {
      chain.doFilter(request, response);
    } catch (IOException | ServletException | RuntimeException failed) {
      try {
        end(request, state);
      } catch (RuntimeException unsaved) {
        if (Unwritten.in(failed).filter(unsaved::equals).isPresent()) {
          throw failed;
        }
        if (Unwritten.is(unsaved)) {
          LOGGER.log(System.Logger.Level.WARNING, "A request failed, and was not saved", failed);
          unsaved.addSuppressed(failed);
          throw unsaved;
        }
        failed.addSuppressed(unsaved);
      }
      throw failed;
    }
    end(request, state);
  }

  private static void end(ServletRequest request, RequestSession state) {
    if (request.isAsyncStarted()) { // It ends later, and another thread may have the response.
      state.save();
    } else {
      state.end();
    }
  }

  /**
   * False if that cannot be put right by another try, or the response has gone out. What else an
   * application throws is its own, whatever it comes of.
   */
  static boolean refuses(RequestSession state, Exception failed) {
    RuntimeException noted = state.unsaved();
    Exception why = noted == null ? failed : noted;
    if (!Unwritten.is(why) || state.response().isCommitted()) {
      return false;
    }
    refuse(state.response(), state.outer(), why);
    return true;
  }

  /** In place of what was to be the response, and has not gone out. */
  static void refuse(HttpServletResponse response, OuterHeaders outer, Exception why) {
    LOGGER.log(
        System.Logger.Level.WARNING,
        "A session could not be read or saved, and a request was refused with 503: "
            + why.getMessage());
    response.reset(); // Not the buffer alone: a length, say, would be that of another body.
    outer.putBack(response);
    unavailable(response);
  }

  /** Without an error page: that would have the same session, and wait once more. */
  static void unavailable(HttpServletResponse response) {
    response.setHeader("Retry-After", "1");
    response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
  }
}
