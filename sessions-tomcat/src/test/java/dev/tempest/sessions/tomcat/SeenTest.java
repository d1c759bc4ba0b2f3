package dev.tempest.sessions.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.MissingAcksException;
import dev.tempest.Node;
import dev.tempest.OverloadedException;
import dev.tempest.Tempest;
import dev.tempest.UnknownOutcomeException;
import dev.tempest.config.NodeConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client may go to any Tomcat with each request. */
@Timeout(60)
final class SeenTest {
  private static final String COOKIE = "JSESSIONID_SEEN";

  @TempDir static Path folder;
  private static Cluster cluster;

  private final Browser browser = new Browser();

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new Cluster(
            folder,
            (context, manager) -> {
              manager.setSeenWithinMillis(200);
              context.setUseHttpOnly(false);
              context.setSessionCookiePath("/shop/");
              context.getPipeline().addValve(new Failing());
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  void noRequestSeesLessThanTheOneBeforeHasWritten() {
    int lagging = 0;
    for (int i = 0; i < 300; i++) {
      int count = i;
      HttpResponse<String> response;
      do {
        response =
            cluster.ask(
                i % 2,
                browser,
                (request, answer) -> {
                  HttpSession session = request.getSession();
                  assertThat(session.getAttribute("count"))
                      .isEqualTo(count == 0 ? null : count - 1);
                  session.setAttribute("count", count);
                  return "";
                });
        lagging += response.statusCode() == 503 ? 1 : 0;
      } while (response.statusCode() == 503);
      assertThat(response.statusCode()).isEqualTo(200);
    }
    assertThat(lagging).isLessThan(100);
  }

  /** What one Tomcat has told a client, the other one has as well, whoever has written it. */
  @Test
  void noRequestSeesLessThanTheOneBeforeHasRead() {
    cluster.get(0, browser, (request, response) -> request.getSession().getId());
    Browser tab = new Browser();
    tab.cookies.putAll(browser.cookies);
    for (int i = 0; i < 30; i++) {
      int count = i;
      cluster.get(
          0,
          tab,
          (request, response) -> {
            request.getSession(false).setAttribute("count", count);
            return "";
          });
      cluster.get(
          0,
          browser,
          (request, response) -> {
            assertThat(request.getSession(false).getAttribute("count")).isEqualTo(count);
            return "";
          });
      cluster.get(
          1,
          browser,
          (request, response) -> {
            assertThat(request.getSession(false).getAttribute("count")).isEqualTo(count);
            return "";
          });
    }
  }

  /** Headers are gone by then; so the cookie says before what has been written so far. */
  @Test
  void aResponseThatHasBegunTellsWhatItCould() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          request.getSession().setAttribute("before", 1);
          response.flushBuffer();
          return "";
        });
    assertThat(browser.cookies).containsKey(COOKIE);
    cluster.get(
        1,
        browser,
        (request, response) -> {
          assertThat(request.getSession(false).getAttribute("before")).isEqualTo(1);
          return "";
        });
  }

  @Test
  void theCookieIsAsThatOfTheSessionAndNeverForScripts() {
    cluster.get(0, browser, (request, response) -> request.getSession().getId());
    String ofSession =
        browser.setCookies.stream()
            .filter(each -> each.startsWith("JSESSIONID="))
            .collect(Collectors.joining());
    String seen =
        browser.setCookies.stream()
            .filter(each -> each.startsWith(COOKIE + "="))
            .collect(Collectors.joining());
    assertThat(seen.substring(seen.indexOf(';')))
        .isEqualTo(ofSession.substring(ofSession.indexOf(';')) + "; HttpOnly");
  }

  @Test
  void aRequestWithoutASessionHasNoCookie() {
    cluster.get(0, browser, (request, response) -> "static");
    assertThat(browser.setCookies).isEmpty();
  }

  @Test
  void aTomcatThatLagsBehindItsClientSaysSo() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          request.getSession().setAttribute("user", "alice");
          return "";
        });
    String seen = Objects.requireNonNull(browser.cookies.get(COOKIE));
    // As if it had seen what this cluster will never have: another cluster's token.
    try (Node elsewhere =
        Tempest.join(NodeConfig.builder().cluster("elsewhere").listen("127.0.0.1").build())) {
      elsewhere.<String, String>map("m", String.class, String.class).put("k", "v");
      browser.cookies.put(COOKIE, seen.substring(0, seen.indexOf('.') + 1) + elsewhere.handle());
    }
    HttpResponse<String> response = cluster.ask(0, browser, (request, answer) -> "");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(cluster.manager(0).counts().unseen()).isPositive();
  }

  /** As that of a login may. */
  private static final class Failing extends ValveBase {
    Failing() {
      super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
      if (request.getParameter("fail") != null) {
        throw new OverloadedException("nothing was written");
      }
      getNext().invoke(request, response);
    }
  }

  /** As the filter of sessions answers. */
  @Test
  void whatCouldNotBeWrittenIsToBeTriedAgain() {
    List<Exception> failures =
        List.of(
            new OverloadedException("nothing was written"),
            new MissingAcksException(1, 2, "in time"),
            new UnknownOutcomeException("perhaps"));
    for (Exception each : failures) {
      HttpResponse<String> response =
          cluster.ask(
              0,
              browser,
              (request, answer) -> {
                answer.getWriter().print("half a page");
                throw each;
              });
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(response.headers().firstValue("Retry-After")).contains("1");
      assertThat(response.body())
          .contains("Your changes may not have been saved")
          .doesNotContain("half a page");
    }
    assertThat(cluster.ask(0, browser, "/shop/?fail", (request, answer) -> "").statusCode())
        .isEqualTo(503);
    assertThat(
            cluster
                .ask(
                    0,
                    browser,
                    (request, answer) -> {
                      // What it wraps is none of sessions either.
                      throw new ServletException(new UnknownOutcomeException("of its own"));
                    })
                .statusCode())
        .isEqualTo(500);
  }
}
