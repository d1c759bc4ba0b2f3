package dev.tempest.sessions.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Does to its session what the query says, step by step, such as {@code set=user:alice&redirect}.
 * What the steps say is the response, unless one of them makes it. What follows {@code then} is
 * done where that leads to: an error page, a forward, another dispatch.
 */
final class Application extends HttpServlet {
  static final int LARGE = 100_000;

  /** Whether the writers of clients have said that these are gone. */
  static final Map<String, CompletableFuture<Boolean>> GONE = new ConcurrentHashMap<>();

  private static final int PIECE = 100;

  private static final long serialVersionUID = 1L;

  /** A step, with what stands behind its {@code =}. */
  @FunctionalInterface
  private interface Step {
    String take(HttpServletRequest request, HttpServletResponse response, String argument)
        throws IOException;
  }

  /** Of the steps that make the response; none follows them. */
  private static final String MADE = "made";

  private static final Map<String, Step> STEPS =
      Map.ofEntries(
          Map.entry("set", (request, out, pair) -> set(request.getSession(), pair)),
          Map.entry("get", (request, out, name) -> get(request, name)),
          Map.entry("count", (request, out, argument) -> count(request.getSession())),
          Map.entry("peek", (request, out, argument) -> peek(request)),
          Map.entry("requested", (request, out, argument) -> requested(request)),
          Map.entry("remove", (request, out, name) -> remove(request.getSession(), name)),
          Map.entry("bind", (request, out, argument) -> bind(request.getSession())),
          Map.entry("changeId", (request, out, argument) -> request.changeSessionId()),
          Map.entry("invalidate", (request, out, argument) -> invalidate(request.getSession())),
          Map.entry("big", (request, out, argument) -> big(request.getSession())),
          Map.entry("begin", (request, out, argument) -> begin(request)),
          Map.entry("nothing", (in, out, argument) -> ""),
          Map.entry("flush", (in, response, argument) -> flush(response)),
          Map.entry("large", (in, response, argument) -> large(response)),
          Map.entry("writer", (in, response, argument) -> writer(response)),
          Map.entry("error", (in, response, argument) -> error(response)),
          Map.entry("fail", (in, out, argument) -> fail()),
          Map.entry("header", (in, out, argument) -> header(out)),
          Map.entry("redirect", (in, response, argument) -> redirect(response)),
          Map.entry("page", (in, response, size) -> page(response, Integer.parseInt(size))),
          Map.entry("reset", (in, response, argument) -> reset(response)),
          Map.entry("check", (in, response, client) -> check(response, client)),
          Map.entry("forward", Application::forward),
          Map.entry("dispatch", (request, out, argument) -> dispatch(request)),
          Map.entry("again", (request, out, argument) -> again(request)),
          Map.entry("own", (request, out, pair) -> own(request, pair)),
          Map.entry("async", Application::async));

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String[] steps = Objects.requireNonNull(request.getQueryString()).split("&then&", 2);
    boolean isFirst = request.getDispatcherType() == DispatcherType.REQUEST;
    if (!isFirst && steps.length == 1) {
      return;
    }
    StringBuilder said = new StringBuilder();
    for (String step : steps[isFirst ? 0 : 1].split("&", -1)) {
      String[] parts = step.split("=", 2);
      String now =
          Objects.requireNonNull(STEPS.get(parts[0]))
              .take(request, response, parts.length > 1 ? parts[1] : "");
      if (now.equals(MADE)) {
        return;
      }
      said.append(now);
    }
    response.getWriter().write(said.toString());
  }

  private static String set(HttpSession session, String pair) {
    String[] parts = pair.split(":", -1);
    session.setAttribute(parts[0], parts[1]);
    return "";
  }

  private static String get(HttpServletRequest request, String name) {
    HttpSession session = request.getSession(false);
    return session == null ? "none" : String.valueOf(session.getAttribute(name));
  }

  private static String count(HttpSession session) {
    Object before = session.getAttribute("count");
    int count = before == null ? 0 : (Integer) before + 1;
    session.setAttribute("count", count);
    return String.valueOf(count);
  }

  private static String peek(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    return session == null ? "none" : session.isNew() ? "new" : "old";
  }

  private static String requested(HttpServletRequest request) {
    String valid = request.isRequestedSessionIdValid() ? "" : "no ";
    return valid + request.getRequestedSessionId();
  }

  private static String remove(HttpSession session, String name) {
    session.removeAttribute(name);
    return "";
  }

  private static String bind(HttpSession session) {
    session.setAttribute("bound", new Bound());
    return "";
  }

  private static String invalidate(HttpSession session) {
    session.invalidate();
    return "ended";
  }

  private static String big(HttpSession session) {
    try {
      session.setAttribute("big", new byte[20_000]);
      return "taken";
    } catch (IllegalArgumentException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  private static String begin(HttpServletRequest request) {
    try {
      request.getSession().invalidate();
      request.getSession();
      return "begun";
    } catch (IllegalStateException late) {
      return String.valueOf(late.getMessage());
    }
  }

  private static String flush(HttpServletResponse response) throws IOException {
    response.flushBuffer();
    return "";
  }

  private static String large(HttpServletResponse response) throws IOException {
    response.getOutputStream().write("a".repeat(LARGE).getBytes(UTF_8));
    return MADE;
  }

  private static String writer(HttpServletResponse response) throws IOException {
    response.getWriter().write("a".repeat(LARGE));
    return MADE;
  }

  private static String error(HttpServletResponse response) throws IOException {
    response.sendError(418);
    return MADE;
  }

  private static String fail() {
    throw new IllegalStateException("as asked for");
  }

  private static String header(HttpServletResponse response) throws IOException {
    response.setHeader("Content-Length", "1");
    response.getOutputStream().write('a');
    return MADE;
  }

  private static String redirect(HttpServletResponse response) throws IOException {
    response.sendRedirect("/elsewhere");
    return MADE;
  }

  /** In pieces, as templates write them. */
  private static String page(HttpServletResponse response, int chars) throws IOException {
    for (int i = 0; i < chars; i += PIECE) {
      response.getWriter().write("a".repeat(PIECE));
    }
    return "";
  }

  /** Once its client has been told, as of a page that may have filled the buffer. */
  private static String reset(HttpServletResponse response) throws IOException {
    response.setBufferSize(8_192);
    response.setCharacterEncoding("windows-1252");
    page(response, 2_500);
    response.reset();
    response.getOutputStream().print("reset");
    return MADE;
  }

  /** A writer says so when its client is gone. */
  private static String check(HttpServletResponse response, String client) throws IOException {
    boolean isGone = false;
    for (int i = 0; i < LARGE && !isGone; i++) {
      page(response, PIECE);
      isGone = response.getWriter().checkError();
    }
    Objects.requireNonNull(GONE.get(client)).complete(isGone);
    return MADE;
  }

  private static String forward(
      HttpServletRequest request, HttpServletResponse response, String path) throws IOException {
    try {
      Objects.requireNonNull(request.getRequestDispatcher(path)).forward(request, response);
    } catch (ServletException failed) {
      throw new IllegalStateException(failed);
    }
    return MADE;
  }

  /** Sets it in another thread, and answers in yet another one. */
  private static String dispatch(HttpServletRequest request) {
    AsyncContext async = request.startAsync();
    async.start(async::dispatch);
    return MADE;
  }

  /** In the request's own thread, from a dispatch that has not been dispatched again. */
  private static String again(HttpServletRequest request) {
    if (request.getAttribute("again") != null) {
      return "";
    }
    request.setAttribute("again", true);
    request.startAsync().dispatch();
    return MADE;
  }

  /** With the response that the container hands out. */
  private static String own(HttpServletRequest request, String pair) {
    AsyncContext async = request.startAsync();
    async.start(() -> {
      set(((HttpServletRequest) async.getRequest()).getSession(), pair);
      try {
        async.getResponse().getWriter().write("own");
        async.getResponse().flushBuffer();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
      async.complete();
    });
    return MADE;
  }

  private static String async(
      HttpServletRequest request, HttpServletResponse response, String pair) {
    AsyncContext async = request.startAsync(request, response);
    async.start(() -> {
      set(((HttpServletRequest) async.getRequest()).getSession(), pair);
      try {
        async.getResponse().getWriter().write("async");
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
      async.complete();
    });
    return MADE;
  }
}
