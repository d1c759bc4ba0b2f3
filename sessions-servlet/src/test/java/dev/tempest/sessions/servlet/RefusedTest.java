package dev.tempest.sessions.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.MissingAcksException;
import dev.tempest.sessions.Session;
import dev.tempest.sessions.Sessions;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client gets that is to try again, and whose answer stays as the application has it. */
final class RefusedTest extends Alone {
  /** As one for CORS, before ours. */
  private record Outer(Filter ours) implements Filter {
    @Override
    public void init(FilterConfig config) throws ServletException {
      ours.init(config);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      HttpServletResponse answer = (HttpServletResponse) response;
      answer.setHeader("Access-Control-Allow-Origin", "https://shop.example");
      answer.addHeader("Vary", "Origin");
      answer.addHeader("Set-Cookie", "outer=1");
      ours.doFilter(request, response, chain);
    }
  }

  /** Saves its session as another filter does, or lets ours do it, and answers with headers. */
  private static final class WithHeaders extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Sessions sessions;

    WithHeaders(Sessions sessions) {
      this.sessions = sessions;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentType("text/plain");
      response.setHeader("ETag", "\"1\"");
      response.addHeader("Vary", "Accept");
      response.addHeader("Set-Cookie", "inner=1");
      request.getSession().setAttribute("user", "bob");
      saveAsFilterDoes(sessions.create());
      response.getWriter().write("done");
    }
  }

  private static void saveAsFilterDoes(Session session) {
    try {
      session.save();
    } catch (MissingAcksException unsaved) {
      SeenFilter.refuse(unsaved);
    }
  }

  private Filter filter(String kind) {
    return kind.equals("seen")
        ? SeenFilter.of(sessions, SessionCookie.defaults(), request -> true)
        : SessionFilter.of(sessions, SessionCookie.defaults());
  }

  @ParameterizedTest
  @ValueSource(strings = {"seen", "session"})
  void headersOfFiltersBeforeStayAndThoseOfTheApplicationGo(String kind, @TempDir Path folder)
      throws Exception {
    FilterSuite.Server server =
        TomcatTest.start(folder, new Outer(filter(kind)), new WithHeaders(sessions));
    try {
      HttpResponse<String> response = get(server, "", "none");
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(response.body()).isEmpty();
      Map<String, List<String>> headers = response.headers().map();
      assertThat(headers.get("Access-Control-Allow-Origin"))
          .containsExactly("https://shop.example");
      assertThat(headers.get("Vary")).containsExactly("Origin");
      assertThat(cookies(response, "outer")).hasSize(1);
      assertThat(headers).doesNotContainKeys("ETag", "Content-Type");
      // Spring Session may have told its client an id, which is to be kept.
      assertThat(cookies(response, "inner")).hasSize(kind.equals("seen") ? 1 : 0);
    } finally {
      server.close().close();
    }
  }

  /** Fails at what is no session's. */
  private final class FailsAtItsOwn extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      Map<String, String> carts = node.map("carts", String.class, String.class);
      request.getSession(false);
      try {
        node.batch(2, () -> carts.put("alice", "apple"));
      } catch (MissingAcksException failed) {
        throw new IllegalStateException("as asked for", failed);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"seen", "session"})
  void whatComesOfACollectionOfTheApplicationIsItsOwn(String kind, @TempDir Path folder)
      throws Exception {
    FilterSuite.Server server = TomcatTest.start(folder, filter(kind), new FailsAtItsOwn());
    try {
      assertThat(get(server, "", "none").statusCode()).isEqualTo(500);
    } finally {
      server.close().close();
    }
  }
}
