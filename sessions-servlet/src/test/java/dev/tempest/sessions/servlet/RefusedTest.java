package dev.tempest.sessions.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.MissingAcksException;
import dev.tempest.OverloadedException;
import dev.tempest.sessions.Session;
import dev.tempest.sessions.Sessions;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
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

  /** Answers in another thread, without a dispatch, by the response that the container has. */
  private static final class Raw extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Sessions sessions;

    /** Its status before it completes. */
    private final transient CompletableFuture<Integer> status = new CompletableFuture<>();

    /** Once the filter has nothing more to do. */
    private final transient CountDownLatch isReturned = new CountDownLatch(1);

    Raw(Sessions sessions) {
      this.sessions = sessions;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String when = request.getQueryString();
      AsyncContext async =
          when.contains("wrapped") ? request.startAsync(request, response) : request.startAsync();
      saveAsFilterDoes(sessions.create());
      if (when.contains("early")) {
        answer(async, when);
      } else {
        Thread.ofVirtual().start(() -> answerLate(async, when));
      }
    }

    private void answerLate(AsyncContext async, String when) {
      try {
        isReturned.await();
        answer(async, when);
      } catch (InterruptedException | IOException stopped) {
        throw new IllegalStateException(stopped);
      }
    }

    private void answer(AsyncContext async, String when) throws IOException {
      HttpServletResponse response = (HttpServletResponse) async.getResponse();
      status.complete(response.getStatus());
      response.getWriter().write("done");
      if (when.contains("flush")) {
        response.flushBuffer();
      }
      async.complete();
    }
  }

  /** Tells when ours has returned. */
  private record Returned(Filter ours, CountDownLatch isReturned) implements Filter {
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      ours.doFilter(request, response, chain);
      isReturned.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"early", "late", "early wrapped", "late wrapped"})
  void anAsynchronousAnswerIsLeftToItsThreadUntilThatCompletesIt(String when, @TempDir Path folder)
      throws Exception {
    Raw raw = new Raw(sessions);
    HttpResponse<String> response = answered(raw, when.replace(' ', '-'), folder);
    assertThat(raw.status.join()).isEqualTo(200);
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).contains("1");
    assertThat(response.body()).isEmpty();
  }

  private HttpResponse<String> answered(Raw raw, String when, Path folder) throws Exception {
    Filter filter = new Returned(filter("seen"), raw.isReturned);
    FilterSuite.Server server = TomcatTest.start(folder, filter, raw);
    try {
      return get(server, when, "none");
    } finally {
      server.close().close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"early-flush", "late-flush"})
  void anAsynchronousAnswerThatHasGoneOutStays(String when, @TempDir Path folder) throws Exception {
    HttpResponse<String> response = answered(new Raw(sessions), when, folder);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("done");
  }

  @ParameterizedTest
  @ValueSource(strings = {"early", "late"})
  void anAsynchronousAnswerSaysWhatItsClientHasSeen(String when, @TempDir Path folder)
      throws Exception {
    HttpResponse<String> response = answered(new Raw(alone), when, folder);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("done");
    assertThat(cookies(response, "SESSION_SEEN")).hasSize(1);
  }

  /** Its listener answers once nobody else has, by what the container hands it. */
  private static final class TimesOut extends HttpServlet implements AsyncListener {
    private static final long serialVersionUID = 1L;

    private final transient Sessions sessions;

    TimesOut(Sessions sessions) {
      this.sessions = sessions;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      AsyncContext async = request.startAsync();
      async.setTimeout(100);
      async.addListener(this);
      saveAsFilterDoes(sessions.create());
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
      event.getSuppliedResponse().getWriter().write("late");
      event.getAsyncContext().complete();
    }

    @Override
    public void onComplete(AsyncEvent event) {
      // It has answered.
    }

    @Override
    public void onError(AsyncEvent event) {
      // There is none.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      // It begins once.
    }
  }

  @Test
  void anAnswerOfAListenerIsRefusedAsWell(@TempDir Path folder) throws Exception {
    FilterSuite.Server server = TomcatTest.start(folder, filter("seen"), new TimesOut(sessions));
    try {
      HttpResponse<String> response = get(server, "", "none");
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(response.body()).isEmpty();
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

  /** As a session does whose collection is linearizable, where a majority is missing. */
  private static final class OnlyReads extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      throw new OverloadedException("nothing was read: as asked for");
    }
  }

  @Test
  void theLogDoesNotSayThatWhatWasOnlyReadWasToBeSaved(@TempDir Path folder) throws Exception {
    List<String> logged = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord each) {
            logged.add(each.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(SessionFilter.class.getName());
    FilterSuite.Server server = TomcatTest.start(folder, filter("session"), new OnlyReads());
    logger.addHandler(handler);
    try {
      assertThat(get(server, "", "none").statusCode()).isEqualTo(503);
      assertThat(logged)
          .contains(
              "A session could not be read or saved, and a request was refused with 503: nothing"
                  + " was read: as asked for");
    } finally {
      logger.removeHandler(handler);
      server.close().close();
    }
  }
}
