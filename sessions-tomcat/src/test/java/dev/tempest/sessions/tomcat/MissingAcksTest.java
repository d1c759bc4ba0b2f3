package dev.tempest.sessions.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.MissingAcksException;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.SessionsConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two Tomcats whose sessions three are to have. */
@Timeout(60)
@Execution(ExecutionMode.SAME_THREAD)
final class MissingAcksTest {
  private static final List<String> TOLD = new CopyOnWriteArrayList<>();

  @TempDir static Path folder;
  private static Cluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new Cluster(
            folder,
            Duration.ofMillis(200),
            (context, manager) -> {
              manager.setAcks(3);
              manager.setSessionAttributeValueClassNameFilter("java\\.lang\\.String");
              context.setApplicationLifecycleListeners(new Object[] {new Told()});
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static final class Told implements HttpSessionListener {
    @Override
    public void sessionCreated(HttpSessionEvent event) {
      TOLD.add("created");
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
      TOLD.add("destroyed");
    }
  }

  @Test
  void aSessionThatTooFewHaveHasNeverBegun() {
    Browser browser = new Browser();
    int sessions = cluster.manager(0).clusterSessions();
    int status = cluster.ask(0, browser, (request, response) -> request.getSession()).statusCode();
    assertThat(status).isEqualTo(503);
    assertThat(browser.cookies).doesNotContainKey("JSESSIONID");
    assertThat(cluster.manager(0).clusterSessions()).isEqualTo(sessions);
    assertThat(TOLD).isEmpty();
  }

  @Test
  void howeverTheApplicationPassesItOnItIsToBeTriedAgain() {
    HttpResponse<String> response =
        cluster.ask(
            0,
            new Browser(),
            (request, ignored) -> {
              try {
                return request.getSession().getId();
              } catch (MissingAcksException failed) {
                throw new ServletException(new IllegalStateException(failed));
              }
            });
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).contains("1");
  }

  /** As it is for its client: of one that was saved when nobody was waited for. */
  private static Browser browserWithSession() {
    try (Sessions unconfirmed = unconfirmed()) {
      dev.tempest.sessions.Session created = unconfirmed.create();
      created.save();
      Browser browser = new Browser();
      browser.cookies.put("JSESSIONID", created.id());
      return browser;
    }
  }

  private static Sessions unconfirmed() {
    return Sessions.of(
        cluster.node(0),
        SessionsConfig.builder().name(SessionsName.of("localhost", "/shop")).build());
  }

  @Test
  void anEndThatTooFewHaveIsToBeTriedAgainHoweverTheApplicationPassesItOn() {
    TOLD.clear();
    Actions.Action wrapping =
        (request, ignored) -> {
          try {
            request.getSession().invalidate();
          } catch (MissingAcksException failed) {
            throw new ServletException(new IllegalStateException(failed));
          }
          return "bye";
        };
    Actions.Action asItIs =
        (request, ignored) -> {
          request.getSession().invalidate();
          return "bye";
        };
    for (Actions.Action each : List.of(wrapping, asItIs)) {
      Browser browser = browserWithSession();
      HttpResponse<String> response = cluster.ask(0, browser, each);
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(response.headers().firstValue("Retry-After")).contains("1");
      assertThat(cluster.manager(0).shared().find(browser.cookies.get("JSESSIONID"))).isEmpty();
    }
    assertThat(TOLD).containsExactly("destroyed", "destroyed");
    TOLD.clear();
  }

  @Test
  void anAttributeThatTooFewHaveIsToBeTriedAgainHoweverTheApplicationPassesItOn() {
    HttpResponse<String> response =
        cluster.ask(
            0,
            browserWithSession(),
            (request, ignored) -> {
              try {
                request.getSession().setAttribute("user", "alice");
              } catch (MissingAcksException failed) {
                throw new ServletException(new IllegalStateException(failed));
              }
              return "set";
            });
    assertThat(response.statusCode()).isEqualTo(503);
  }

  /** Nobody knows whether that is done by trying again. */
  @Test
  void whatComesOfACollectionOfTheApplicationIsItsOwn() {
    Map<String, String> carts = cluster.node(0).map("carts", String.class, String.class);
    HttpResponse<String> response =
        cluster.ask(
            0,
            browserWithSession(),
            (request, ignored) -> {
              request.getSession();
              try {
                return cluster.node(0).batch(3, () -> carts.put("alice", "apple"));
              } catch (MissingAcksException failed) {
                throw new ServletException(new IllegalStateException(failed));
              }
            });
    assertThat(response.statusCode()).isEqualTo(500);
  }

  @Test
  void aValueThatTooFewHaveReplacesOneThatStaysInThisTomcat() throws IOException {
    try (Sessions unconfirmed = unconfirmed()) {
      dev.tempest.sessions.Session created = unconfirmed.create();
      created.save();
      HttpSession session =
          Objects.requireNonNull(cluster.manager(0).findSession(created.id())).getSession();
      session.setAttribute("mixed", 1);
      assertThatThrownBy(() -> session.setAttribute("mixed", "text"))
          .isInstanceOf(MissingAcksException.class);
      assertThat(session.getAttribute("mixed")).isEqualTo("text");
    }
  }
}
