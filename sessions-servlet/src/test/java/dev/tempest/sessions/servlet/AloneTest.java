package dev.tempest.sessions.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.sessions.Session;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.SessionsConfig;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One server, whose sessions two processes are to have, and no other process. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AloneTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private Node node;
  private Sessions sessions;

  /** Of the same, but nobody is waited for. */
  private Sessions alone;

  @BeforeAll
  void start() {
    node =
        Tempest.join(
            NodeConfig.builder()
                .cluster("alone-" + ProcessHandle.current().pid())
                .listen("127.0.0.1")
                .deadline(Duration.ofMillis(200))
                .build());
    sessions = Sessions.of(node, SessionsConfig.builder().acks(2).build());
    alone = Sessions.of(node, SessionsConfig.builder().build());
  }

  @AfterAll
  void stop() {
    alone.close();
    sessions.close();
    node.close();
  }

  private HttpResponse<String> get(FilterSuite.Server server, String query, String id)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/app?" + query))
            .header("Cookie", "SESSION=" + id)
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static List<HttpCookie> cookies(HttpResponse<String> response, String name) {
    return response.headers().allValues("Set-Cookie").stream()
        .map(each -> HttpCookie.parse(each).getFirst())
        .filter(each -> each.getName().equals(name))
        .toList();
  }

  @Test
  void whatTooFewHaveIsRefusedAndAnIdThatChangedIsTold(@TempDir Path folder) throws Exception {
    FilterSuite.Server server =
        TomcatTest.start(
            folder, SessionFilter.of(sessions, SessionCookie.defaults()), new Application());
    try {
      Session session = alone.create();
      session.set("user", "alice");
      session.save();
      HttpResponse<String> response = get(server, "changeId", session.id());
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(cookies(response, "SESSION_SEEN")).hasSize(1);
      String id = cookies(response, "SESSION").getFirst().getValue();
      assertThat(id).isNotEqualTo(session.id());
      assertThat(get(server, "get=user", id).body()).isEqualTo("alice");
      assertThat(get(server, "async=user:bob", id).statusCode()).isEqualTo(503);
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
      response.setHeader("Before", sessions.seen());
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

  @Test
  void aListenerThatFailsIsLoggedAndTheOthersAreTold() {
    List<String> told = new ArrayList<>();
    HttpSessionListener failing =
        new HttpSessionListener() {
          @Override
          public void sessionCreated(HttpSessionEvent event) {
            throw new IllegalStateException("as asked for");
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
