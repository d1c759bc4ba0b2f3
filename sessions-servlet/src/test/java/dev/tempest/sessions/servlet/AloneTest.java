package dev.tempest.sessions.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.MissingAcksException;
import dev.tempest.OverloadedException;
import dev.tempest.sessions.Session;
import dev.tempest.sessions.Sessions;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.io.Serializable;
import java.net.HttpCookie;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of requests of one server, and of sessions that too few processes have. */
final class AloneTest extends Alone {
  @Test
  void whatTooFewHaveIsRefusedAndAnIdThatChangedIsTold(@TempDir Path folder) throws Exception {
    FilterSuite.Server server = start(folder, sessions, new Application());
    try {
      String before = idOf("alice");
      HttpResponse<String> response = get(server, "changeId", before);
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(cookies(response, "SESSION_SEEN")).hasSize(1);
      String id = cookies(response, "SESSION").getFirst().getValue();
      assertThat(id).isNotEqualTo(before);
      assertThat(get(server, "get=user", id).body()).isEqualTo("alice");
      assertThat(get(server, "async=user:bob", id).statusCode()).isEqualTo(503);
    } finally {
      server.close().close();
    }
  }

  @Test
  void whereApplicationAndSaveBothFailItIsToBeTriedAgain(@TempDir Path folder) throws Exception {
    FilterSuite.Server server = start(folder, sessions, new Application());
    try {
      HttpResponse<String> response = get(server, "set=user:bob&fail", idOf("alice"));
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(response.headers().firstValue("Retry-After")).contains("1");
    } finally {
      server.close().close();
    }
  }

  /** As frameworks do: what a write throws comes out in another exception, or makes a page. */
  private static final class Wraps extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      request.getSession().setAttribute("user", "bob");
      try {
        response.getOutputStream().write('x');
        if (request.getQueryString().contains("redirect")) {
          response.sendRedirect("/app");
        } else {
          response.flushBuffer();
        }
      } catch (RuntimeException failed) {
        if (request.getQueryString().contains("wrap")) {
          throw new ServletException(new IllegalStateException(failed));
        }
        request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, failed); // As Spring MVC does.
        response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
      }
    }
  }

  @Test
  void howeverTheApplicationPassesItOnItIsToBeTriedAgain(@TempDir Path folder) throws Exception {
    FilterSuite.Server server = start(folder, sessions, new Wraps());
    try {
      for (String query : List.of("wrap", "wrap&redirect", "handle", "handle&redirect")) {
        int before = sessions.size();
        HttpResponse<String> response = get(server, query, "none");
        assertThat(response.statusCode()).as(query).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).contains("1");
        assertThat(response.body()).isEmpty();
        String id = cookies(response, "SESSION").getFirst().getValue();
        assertThat(get(server, query, id).statusCode()).isEqualTo(503);
        assertThat(sessions.size()).isEqualTo(before + 1);
      }
    } finally {
      server.close().close();
    }
  }

  /** A thread in whose batch nobody else writes, until something has happened. */
  private Thread batchUntil(CountDownLatch isOver) throws InterruptedException {
    CountDownLatch isInBatch = new CountDownLatch(1);
    Runnable until =
        () -> {
          isInBatch.countDown();
          try {
            isOver.await();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
        };
    Thread batch = Thread.ofVirtual().start(() -> node.batch(until));
    isInBatch.await();
    return batch;
  }

  @Test
  void aSessionWhoseEndIsRefusedLivesOn(@TempDir Path folder) throws Exception {
    FilterSuite.Server server = start(folder, alone, new Application());
    CountDownLatch isAnswered = new CountDownLatch(1);
    try {
      String id = idOf("alice");
      Thread batch = batchUntil(isAnswered);
      HttpResponse<String> response = get(server, "invalidate", id);
      isAnswered.countDown();
      batch.join();
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(cookies(response, "SESSION")).isEmpty();
      assertThat(get(server, "get=user", id).body()).isEqualTo("alice");
    } finally {
      isAnswered.countDown();
      server.close().close();
    }
  }

  /** Tries once more, after what was in its way. */
  private static final class PatientLogout extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient CountDownLatch isRefused = new CountDownLatch(1);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      HttpSession session = request.getSession();
      try {
        session.invalidate();
      } catch (OverloadedException refused) {
        isRefused.countDown();
        session.invalidate();
        response.getWriter().write("bye at last");
      }
    }
  }

  @Test
  void anEndThatSucceedsAtLastIsAnsweredAsTheApplicationDoes(@TempDir Path folder)
      throws Exception {
    PatientLogout servlet = new PatientLogout();
    FilterSuite.Server server = start(folder, alone, servlet);
    try {
      String id = idOf("alice");
      Thread batch = batchUntil(servlet.isRefused);
      HttpResponse<String> response = get(server, "", id);
      batch.join();
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("bye at last");
      assertThat(cookies(response, "SESSION").getFirst().getMaxAge()).isZero();
      assertThat(alone.find(id)).isEmpty();
    } finally {
      servlet.isRefused.countDown();
      server.close().close();
    }
  }

  /** Whatever becomes of its session, it says that all is well. */
  private static final class CarefulLogout extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        request.getSession().invalidate();
      } catch (MissingAcksException caught) {
        response.setHeader("Caught", "true");
      }
      response.getWriter().write("bye");
    }
  }

  @Test
  void anEndThatTooFewHaveIsToBeTriedAgainAlsoIfTheApplicationCatchesWhy(@TempDir Path folder)
      throws Exception {
    FilterSuite.Server server = start(folder, sessions, new CarefulLogout());
    try {
      String id = idOf("alice");
      HttpResponse<String> response = get(server, "", id);
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(response.headers().firstValue("Retry-After")).contains("1");
      assertThat(response.body()).isEmpty();
      assertThat(cookies(response, "SESSION").getFirst().getMaxAge()).isZero();
      assertThat(alone.find(id)).isEmpty();
    } finally {
      server.close().close();
    }
  }

  @Test
  void ofSeveralIdsTheOneThatIsValidIsTheRequestedOne(@TempDir Path folder) throws Exception {
    FilterSuite.Server server = start(folder, alone, new Application());
    try {
      String id = idOf("alice");
      assertThat(get(server, "requested", "none; SESSION=" + id).body()).isEqualTo(id);
      assertThat(get(server, "requested", "none").body()).isEqualTo("no none");
    } finally {
      server.close().close();
    }
  }

  /** As another request of its client does that logs out while this one is under way. */
  private static final class EndedElsewhere extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Sessions sessions;

    EndedElsewhere(Sessions sessions) {
      this.sessions = sessions;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      HttpSession session = request.getSession();
      session.setAttribute("late", 1);
      sessions.find(session.getId()).ifPresent(Session::invalidate);
    }
  }

  @Test
  void aRequestWhoseSessionAnotherOneEndsLeavesTheCookieAlone(@TempDir Path folder)
      throws Exception {
    FilterSuite.Server server = start(folder, alone, new EndedElsewhere(alone));
    try {
      HttpResponse<String> response = get(server, "", idOf("alice"));
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(cookies(response, "SESSION")).isEmpty();
    } finally {
      server.close().close();
    }
  }

  /** Its listener waits for another thread of the same request. */
  private static final class UsedElsewhere extends HttpServlet implements HttpSessionIdListener {
    private static final long serialVersionUID = 1L;

    private transient volatile HttpServletRequest latest;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      latest = request;
      response.getWriter().write(request.changeSessionId());
    }

    @Override
    public void sessionIdChanged(HttpSessionEvent event, String before) {
      try {
        Thread.ofVirtual().start(() -> latest.getSession(false)).join();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void anotherIdIsToldWithoutALock(@TempDir Path folder) throws Exception {
    UsedElsewhere servlet = new UsedElsewhere();
    FilterSuite.Server server = start(folder, alone, servlet, servlet);
    try {
      HttpResponse<String> response = get(server, "", idOf("alice"));
      assertThat(response.body()).isEqualTo(cookies(response, "SESSION").getFirst().getValue());
    } finally {
      server.close().close();
    }
  }

  /** Another request changes the id as well, after this one's has been saved. */
  private static final class ChangedElsewhere extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Sessions sessions;

    ChangedElsewhere(Sessions sessions) {
      this.sessions = sessions;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String id = request.changeSessionId();
      response.getOutputStream().write(new byte[3_000]); // As much may go out.
      Session meanwhile = sessions.find(id).orElseThrow();
      meanwhile.changeId();
      meanwhile.save();
    }
  }

  @Test
  void anIdThatLeadsNowhereIsNotTold(@TempDir Path folder) throws Exception {
    FilterSuite.Server server = start(folder, alone, new ChangedElsewhere(alone));
    try {
      HttpResponse<String> response = get(server, "", idOf("alice"));
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(cookies(response, "SESSION")).isEmpty();
      assertThat(cookies(response, "SESSION_SEEN")).hasSize(1);
    } finally {
      server.close().close();
    }
  }

  /** As Spring Session does: the session is saved once a part of the page has been written. */
  private static final class SavesLate extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Sessions sessions;

    SavesLate(Sessions sessions) {
      this.sessions = sessions;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      int before = Integer.parseInt(request.getQueryString());
      response.getOutputStream().write(new byte[3_000]);
      response.getOutputStream().write(new byte[before - 3_000]);
      response.setHeader("Before", sessions.seen(List.of()));
      sessions.create().save();
      response.getOutputStream().write(new byte[1_000]);
    }
  }

  @Test
  void whatAFilterBehindSavesWhileAPageIsWrittenIsTold(@TempDir Path folder) throws Exception {
    SeenFilter filter = SeenFilter.of(alone, SessionCookie.defaults(), request -> true);
    FilterSuite.Server server = TomcatTest.start(folder, filter, new SavesLate(alone));
    try {
      for (int size : List.of(3_000, 4_000, 8_000)) {
        HttpResponse<String> response = get(server, String.valueOf(size), "none");
        List<HttpCookie> told = cookies(response, "SESSION_SEEN");
        assertThat(told).hasSize(1);
        String before = response.headers().firstValue("Before").orElseThrow();
        assertThat(told.getFirst().getValue())
            .doesNotEndWith(before.substring(before.indexOf('.')));
      }
    } finally {
      server.close().close();
    }
  }

  /** Ends its session when it hears of the end. */
  private static final class EndsToo implements HttpSessionBindingListener, Serializable {
    private static final long serialVersionUID = 1L;
    private static final AtomicInteger UNBOUND = new AtomicInteger();

    @Override
    public void valueUnbound(HttpSessionBindingEvent event) {
      UNBOUND.incrementAndGet();
      event.getSession().invalidate();
    }
  }

  @Test
  void aValueThatEndsItsNewSessionWhenItHearsOfItsEndHearsOnce() {
    SessionEvents events = new SessionEvents(null, List.of());
    HttpSession session = new SharedHttpSession(alone.create(), events, true, failed -> {});
    session.setAttribute("value", new EndsToo());
    session.invalidate();
    assertThat(EndsToo.UNBOUND).hasValue(1);
  }

  @Test
  void aListenerThatFailsIsLoggedAndTheOthersAreTold() {
    List<String> told = new ArrayList<>();
    HttpSessionListener failing =
        new HttpSessionListener() {
          @Override
          public void sessionCreated(HttpSessionEvent event) {
            throw new NoClassDefFoundError("as asked for");
          }
        };
    HttpSessionListener other =
        new HttpSessionListener() {
          @Override
          public void sessionCreated(HttpSessionEvent event) {
            told.add(event.getSession().getId());
          }
        };
    List<LogRecord> logged = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord news) {
            logged.add(news);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(SessionEvents.class.getName());
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
    try {
      Session session = alone.create();
      new SessionEvents(null, List.of(failing, other)).created(session);
      assertThat(told).containsExactly(session.id());
      assertThat(logged).hasSize(1);
      assertThat(logged.getFirst().getThrown()).hasMessage("as asked for");
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
  }
}
