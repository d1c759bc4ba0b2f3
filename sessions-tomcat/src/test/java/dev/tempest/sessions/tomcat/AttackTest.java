package dev.tempest.sessions.tomcat;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpSession;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.apache.catalina.Context;
import org.apache.catalina.Session;
import org.apache.catalina.session.TooManyActiveSessionsException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients and applications may try. */
@Timeout(60)
final class AttackTest {
  private static final int LARGE = 40_000_000;

  @TempDir static Path folder;
  private static Cluster cluster;

  private final Browser browser = new Browser();

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new Cluster(
            folder,
            (context, manager) -> {
              manager.setAttributesMax(10);
              manager.setAttributeMaxBytes(10_000);
              manager.setSessionMaxBytes(25_000);
              manager.setMaxActiveSessions(50);
              manager.setSeenWithinMillis(100);
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "..",
        "x",
        "a.b.c",
        "-heads",
        "%00",
        "../../etc/passwd",
        "\"quoted\"",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.other"
      })
  void anIdThatAClientMadeUpNeverBecomesThatOfASession(String id) {
    browser.cookies.put("JSESSIONID", id);
    String given =
        cluster.get(
            0,
            browser,
            (request, response) -> {
              assertThat(request.getSession(false)).isNull();
              assertThat(request.isRequestedSessionIdValid()).isFalse();
              HttpSession session = request.getSession();
              assertThat(session.isNew()).isTrue();
              session.setMaxInactiveInterval(1);
              return session.getId();
            });
    assertThat(given).isNotEqualTo(id).matches("[A-Za-z0-9_-]{32}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "x",
        "0.",
        ".AA",
        "zzzzzzzzzzzzzzzz.AAAA",
        "-1.AAAA",
        "k3x5.____",
        "a.b.c"
      })
  void aTokenThatAClientMadeUpHoldsNobodyUp(String token) {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          request.getSession().setMaxInactiveInterval(2);
          return "";
        });
    browser.cookies.put("JSESSIONID_SEEN", token);
    HttpResponse<String> response =
        cluster.ask(0, browser, (request, answer) -> request.getSession(false) != null);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("true");
  }

  @Test
  void aTokenThatIsCutOrHasFlippedBitsIsRefusedOrWaitedForAndNoMore() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          request.getSession().setAttribute("a", 1);
          request.getSession().setMaxInactiveInterval(5);
          return "";
        });
    String token = Objects.requireNonNull(browser.cookies.get("JSESSIONID_SEEN"));
    String id = Objects.requireNonNull(browser.cookies.get("JSESSIONID"));
    for (int i = 0; i < token.length(); i++) {
      Browser forger = new Browser();
      forger.cookies.put("JSESSIONID", id);
      forger.cookies.put(
          "JSESSIONID_SEEN",
          i % 2 == 0
              ? token.substring(0, i)
              : token.substring(0, i) + "A" + token.substring(i + 1));
      assertThat(cluster.ask(1, forger, (request, answer) -> "").statusCode()).isIn(200, 503);
    }
    assertThat(cluster.manager(1).counts().malformed()).isPositive();
  }

  @Test
  void anOversizedTokenIsRefused() {
    browser.cookies.put("JSESSIONID", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    browser.cookies.put("JSESSIONID_SEEN", "A".repeat(7_000));
    assertThat(cluster.ask(0, browser, (request, answer) -> "").statusCode()).isEqualTo(200);
    browser.cookies.put("JSESSIONID_SEEN", "A".repeat(20_000));
    assertThat(cluster.ask(0, browser, (request, answer) -> "").statusCode()).isEqualTo(400);
  }

  /** With a path that all applications share, Tomcat takes ids of others: never one nobody has. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sharedCookiesFixNoSession(boolean isChecked) {
    String chosen = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    Context context = cluster.context(0);
    context.setSessionCookiePath("/");
    context.setValidateClientProvidedNewSessionId(isChecked);
    try {
      browser.cookies.put("JSESSIONID", chosen);
      String id =
          cluster.get(
              0,
              browser,
              (request, response) -> {
                String given = request.getSession().getId();
                request.getSession().invalidate();
                return given;
              });
      assertThat(id).isNotEqualTo(chosen);
    } finally {
      context.setSessionCookiePath(null);
      context.setValidateClientProvidedNewSessionId(true);
    }
  }

  /** Of an application with another manager. */
  @Test
  void anIdThatNoTempestGivesIsReplaced() {
    Session session = cluster.manager(0).createSession("A1".repeat(32));
    assertThat(session.getId()).matches("[A-Za-z0-9_-]{32}");
    session.expire();
  }

  /** By a request that had found it just before. */
  @Test
  void anEndedSessionThatComesBackGoesAgain() {
    TempestManager manager = cluster.manager(0);
    Session session = manager.createSession(null);
    session.expire();
    manager.add(session);
    manager.processExpires();
    assertThat(manager.findSessions()).doesNotContain(session);
  }

  @Test
  void whatIsTooLargeIsRefusedAndCountedAndTheSessionGoesOn() {
    long before = cluster.manager(0).counts().refused();
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession();
          session.setAttribute("a", "kept");
          assertThatThrownBy(() -> session.setAttribute("a", "x".repeat(10_001)))
              .hasMessageContaining("attributeMaxBytes");
          session.setAttribute("b", "x".repeat(9_000));
          session.setAttribute("c", "x".repeat(9_000));
          assertThatThrownBy(() -> session.setAttribute("d", "x".repeat(9_000)))
              .hasMessageContaining("sessionMaxBytes");
          for (int i = 0; i < 7; i++) {
            session.setAttribute("small" + i, i);
          }
          assertThatThrownBy(() -> session.setAttribute("one more", 1))
              .hasMessageContaining("attributesMax");
          return "";
        });
    assertThat(cluster.manager(0).counts().refused()).isEqualTo(before + 3);
    cluster.get(
        1,
        browser,
        (request, response) -> {
          assertThat(request.getSession(false).getAttribute("a")).isEqualTo("kept");
          request.getSession(false).invalidate();
          return "";
        });
  }

  @Test
  void aNameThatIsTooLongIsRefusedAndTheRequestGoesOn() {
    String tooLong = "n".repeat(17_000_000);
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession();
          assertThatThrownBy(() -> session.setAttribute(tooLong, 1))
              .hasMessageContaining("the name of an attribute has at most 1,024 characters");
          assertThat(session.getAttribute(tooLong)).isNull();
          session.removeAttribute(tooLong);
          session.setAttribute("small", 1);
          return "";
        });
    cluster.get(
        1,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession(false);
          assertThat(Collections.list(session.getAttributeNames())).containsExactly("small");
          session.invalidate();
          return "";
        });
  }

  /** While it reads or is written, as an assertion of an application may. */
  private static final class Failing implements Serializable {
    private static final long serialVersionUID = 1;
    private static volatile boolean fails;

    private void writeObject(ObjectOutputStream out) {
      fail();
    }

    private void readObject(ObjectInputStream in) {
      fail();
    }

    private static void fail() {
      if (fails) {
        throw new AssertionError("as assertions do");
      }
    }
  }

  @Test
  void aValueThatFailsInItsOwnCodeIsAbsentAndCanBeReplacedAndRemoved() {
    Failing.fails = false;
    cluster.get(
        0,
        browser,
        (request, response) -> {
          request.getSession().setAttribute("one", new Failing());
          request.getSession().setAttribute("two", new Failing());
          return "";
        });
    Failing.fails = true;
    cluster.get(
        1,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession(false);
          assertThat(session.getAttribute("one")).isNull();
          session.setAttribute("one", 1);
          session.removeAttribute("two");
          assertThatThrownBy(() -> session.setAttribute("three", new Failing()))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("Failing cannot be kept in a session");
          return "";
        });
    assertThat(cluster.manager(1).counts().unreadable()).isPositive();
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession(false);
          assertThat(Collections.list(session.getAttributeNames())).containsExactly("one");
          assertThat(session.getAttribute("one")).isEqualTo(1);
          session.invalidate();
          return "";
        });
  }

  /** Tomcat's TestPersistentManager counts, too; but those of one Tomcat. */
  @Test
  void moreSessionsThanTheClusterMayHaveAreRefusedAndCounted() {
    List<Browser> browsers = new ArrayList<>();
    int refused = 0;
    for (int i = 0;
        refused == 0;
        i++) { // Perhaps some more than 50: each may lag behind the other.
      browsers.add(new Browser());
      HttpResponse<String> response =
          cluster.ask(
              i % 2,
              browsers.getLast(),
              (request, answer) -> {
                try {
                  return request.getSession().getId();
                } catch (TooManyActiveSessionsException tooMany) {
                  assertThat(tooMany.getMaxActiveSessions()).isEqualTo(50);
                  return "too many";
                }
              });
      refused += response.body().equals("too many") ? 1 : 0;
    }
    assertThat(browsers).hasSizeGreaterThan(50);
    assertThat(cluster.manager(0).getRejectedSessions() + cluster.manager(1).getRejectedSessions())
        .isEqualTo(refused);
    browsers.forEach(each ->
        cluster.get(
            0,
            each,
            (request, response) -> {
              HttpSession session = request.getSession(false);
              if (session != null) {
                session.invalidate();
              }
              return "";
            }));
  }

  /** Not even one with the same session. */
  @Test
  void aClientThatReadsSlowlyHoldsNobodyUp() throws Exception {
    String id = cluster.get(0, browser, (request, response) -> request.getSession().getId());
    CountDownLatch writing = new CountDownLatch(1);
    cluster
        .actions()
        .prepare(
            "slow",
            (request, response) -> {
              request.getSession(false).setAttribute("slow", 1);
              writing.countDown();
              response.getOutputStream().write(new byte[LARGE]);
              return null;
            });
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), cluster.port(0))) {
      slow.getOutputStream()
          .write(
              "GET /shop/ HTTP/1.1\r\nHost: localhost\r\naction: slow\r\nCookie: JSESSIONID=%s\r\n\r\n"
                  .formatted(id)
                  .getBytes(US_ASCII));
      writing.await();
      for (int i = 0; i < 10; i++) {
        int count = i;
        cluster.get(
            i % 2,
            browser,
            (request, response) -> {
              request.getSession(false).setAttribute("fast", count);
              return "";
            });
      }
      cluster.get(
          0,
          browser,
          (request, response) -> {
            request.getSession(false).invalidate();
            return "";
          });
    }
  }
}
