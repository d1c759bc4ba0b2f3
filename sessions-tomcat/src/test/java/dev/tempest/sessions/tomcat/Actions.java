package dev.tempest.sessions.tomcat;

import dev.tempest.MissingAcksException;
import dev.tempest.OverloadedException;
import dev.tempest.UnknownOutcomeException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A web application that does what tests say: each request names what it wants done. */
final class Actions extends HttpServlet {
  private static final long serialVersionUID = 1;
  private static final String HEADER = "action";

  private final transient Map<String, Action> actions = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  /** What a request does; what it returns is the body of the response. */
  interface Action {
    Object answer(HttpServletRequest request, HttpServletResponse response) throws Exception;
  }

  /** For requests whose header says {@code action: name}. */
  void prepare(String name, Action action) {
    actions.put(name, action);
  }

  HttpResponse<String> ask(int port, Browser browser, String path, Action action) {
    String name = String.valueOf(count.incrementAndGet());
    prepare(name, action);
    return browser.get(port, path, HEADER, name);
  }

  /** The body of a response that is no error. */
  static String body(HttpResponse<String> response) {
    if (response.statusCode() != HttpServletResponse.SC_OK) {
      throw new AssertionError(response.statusCode() + ": " + response.body());
    }
    return response.body();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    try {
      Object answer = actions.get(request.getHeader(HEADER)).answer(request, response);
      if (!request.isAsyncStarted() && answer != null) {
        response.getWriter().print(answer);
      }
    } catch (OverloadedException | MissingAcksException | UnknownOutcomeException unwritten) {
      throw unwritten;
    } catch (ServletException wrapped) {
      throw wrapped;
    } catch (Exception | AssertionError failed) {
      if (!response.isCommitted()) {
        response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, failed.toString());
      }
    }
  }
}
