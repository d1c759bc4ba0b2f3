package dev.tempest.sessions.tomcat;

import static dev.tempest.sessions.tomcat.Cluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpSession;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What two Tomcats see of each other's sessions. */
@Timeout(60)
final class SharingTest {
  @TempDir static Path folder;
  private static Cluster cluster;

  private final Browser browser = new Browser();

  @BeforeAll
  static void start() throws Exception {
    cluster = new Cluster(folder, (context, manager) -> {});
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static List<String> names(HttpSession session) {
    List<String> names = Collections.list(session.getAttributeNames());
    Collections.sort(names);
    return names;
  }

  @Test
  void whatOneSetsTheOtherReads() {
    String id =
        cluster.get(
            0,
            browser,
            (request, response) -> {
              HttpSession session = request.getSession();
              session.setAttribute("user", "alice");
              session.setMaxInactiveInterval(77);
              assertThat(session.isNew()).isTrue();
              return session.getId();
            });
    String seen =
        cluster.get(
            1,
            browser,
            (request, response) -> {
              HttpSession session = request.getSession(false);
              assertThat(session.isNew()).isFalse();
              assertThat(session.getMaxInactiveInterval()).isEqualTo(77);
              return session.getId() + session.getAttribute("user") + names(session);
            });
    assertThat(seen).isEqualTo(id + "alice[user]");
  }

  @Test
  void concurrentRequestsLoseNoAttributeOfEachOther() throws Exception {
    cluster.get(0, browser, (request, response) -> request.getSession().getId());
    CountDownLatch both = new CountDownLatch(2);
    List<Thread> threads = new ArrayList<>();
    for (int tomcat = 0; tomcat < 2; tomcat++) {
      int here = tomcat;
      threads.add(
          Thread.ofVirtual()
              .start(() ->
                  cluster.get(
                      here,
                      browser,
                      (request, response) -> {
                        HttpSession session = request.getSession();
                        both.countDown();
                        both.await();
                        session.setAttribute("of-" + here, here);
                        return "";
                      })));
    }
    for (Thread each : threads) {
      each.join();
    }
    for (int tomcat = 0; tomcat < 2; tomcat++) {
      int here = tomcat;
      eventually(() ->
          cluster
              .get(here, browser, (request, response) -> names(request.getSession(false)))
              .equals("[of-0, of-1]"));
    }
  }

  /** Tomcat's TestFileStoreConcurrency: who writes, reads and ends at once disturbs nobody. */
  @Test
  void requestsThatWriteReadAndEndAtOnceDisturbNobody() throws Exception {
    List<Browser> browsers = Stream.generate(Browser::new).limit(3).toList();
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int number = i;
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int round = 0; round < 40; round++) {
                  int here = round + number;
                  Browser one = browsers.get(here % 3);
                  HttpResponse<String> response =
                      cluster.ask(
                          here % 2,
                          one,
                          (request, answer) -> {
                            HttpSession session = request.getSession();
                            try {
                              session.setAttribute("of-" + number, here);
                              names(session).forEach(session::getAttribute);
                              if (here % 7 == 0) {
                                session.invalidate();
                              }
                            } catch (IllegalStateException ended) {
                              return "ended meanwhile";
                            }
                            return "";
                          });
                  if (response.statusCode() != 200) {
                    failures.add(response.statusCode() + response.body());
                  }
                }
              }));
    }
    for (Thread each : threads) {
      each.join();
    }
    assertThat(failures).isEmpty();
  }

  /** As in Tomcat's memory: {@code synchronized (session)} and {@code ==} go on to work. */
  @Test
  void sessionAndValuesStayTheSameObjectsWhileTheirBytesDo() {
    AtomicReference<HttpSession> first = new AtomicReference<>();
    AtomicReference<Object> value = new AtomicReference<>();
    cluster.get(
        0,
        browser,
        (request, response) -> {
          first.set(request.getSession());
          first.get().setAttribute("list", new ArrayList<>(List.of("a")));
          return "";
        });
    cluster.get(
        1,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession(false);
          assertThat(session).isNotSameAs(first.get());
          value.set(session.getAttribute("list"));
          assertThat(session.getAttribute("list")).isSameAs(value.get()).isEqualTo(List.of("a"));
          session.setAttribute("other", 1);
          return "";
        });
    cluster.get(
        1,
        browser,
        (request, response) -> {
          assertThat(request.getSession(false).getAttribute("list")).isSameAs(value.get());
          return "";
        });
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession(false);
          assertThat(session).isSameAs(first.get());
          session.setAttribute("list", new ArrayList<>(List.of("b")));
          return "";
        });
    cluster.get(
        1,
        browser,
        (request, response) -> {
          assertThat(request.getSession(false).getAttribute("list")).isEqualTo(List.of("b"));
          return "";
        });
  }

  /** Tomcat's TestStandardSessionIntegration, in a cluster of another kind. */
  @Test
  void anInvalidatedSessionIsGoneEverywhere() {
    AtomicReference<HttpSession> atOther = new AtomicReference<>();
    String id = cluster.get(0, browser, (request, response) -> request.getSession().getId());
    cluster.get(
        1,
        browser,
        (request, response) -> {
          atOther.set(request.getSession(false));
          return "";
        });
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession(false);
          session.invalidate();
          assertThatThrownBy(session::getCreationTime).isInstanceOf(IllegalStateException.class);
          assertThat(request.getSession(false)).isNull();
          return "";
        });
    eventually(() -> cluster.manager(1).findSession(id) == null);
    assertThatThrownBy(() -> atOther.get().setAttribute("late", 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> atOther.get().getAttribute("late"))
        .isInstanceOf(IllegalStateException.class);
    assertThat(cluster.get(1, browser, (request, response) -> request.getSession().getId()))
        .isNotEqualTo(id);
  }

  @Test
  void anotherIdKeepsTheSessionAndTheOneBeforeLeadsNowhere() {
    AtomicReference<HttpSession> atOther = new AtomicReference<>();
    String before =
        cluster.get(
            0,
            browser,
            (request, response) -> {
              request.getSession().setAttribute("user", "alice");
              return request.getSession().getId();
            });
    cluster.get(
        1,
        browser,
        (request, response) -> {
          atOther.set(request.getSession(false));
          return "";
        });
    String after =
        cluster.get(
            0,
            browser,
            (request, response) -> {
              String changed = request.changeSessionId();
              assertThat(request.getSession(false).getId()).isEqualTo(changed);
              return changed;
            });
    assertThat(after).isNotEqualTo(before);
    assertThat(browser.cookies).containsEntry("JSESSIONID", after);
    cluster.get(
        1,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession(false);
          assertThat(session).isSameAs(atOther.get());
          assertThat(session.getId()).isEqualTo(after);
          assertThat(session.getAttribute("user")).isEqualTo("alice");
          return "";
        });
    assertThat(cluster.manager(0).findSession(before)).isNull();
    assertThat(cluster.manager(1).findSession(before)).isNull();
  }

  /** Jetty's testLoadSessionExpired and testGetExpiredPersistedAndExpired. */
  @Test
  void aSessionEndsAfterItsTimeAtAll() {
    String id =
        cluster.get(
            0,
            browser,
            (request, response) -> {
              request.getSession().setMaxInactiveInterval(1);
              return request.getSession().getId();
            });
    cluster.get(1, browser, (request, response) -> request.getSession(false).getId());
    eventually(() -> cluster.manager(0).findSession(id) == null);
    eventually(() -> cluster.manager(1).findSession(id) == null);
    for (int tomcat = 0; tomcat < 2; tomcat++) {
      TempestManager manager = cluster.manager(tomcat);
      eventually(() -> {
        manager.processExpires();
        return !manager.listSessionIds().contains(id);
      });
    }
  }

  /** Jetty's testStoreSession with -1: it never ends. */
  @Test
  void zeroOrLessIsForEver() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          request.getSession().setMaxInactiveInterval(-1);
          return "";
        });
    assertThat(
            cluster.get(
                1,
                browser,
                (request, response) -> request.getSession(false).getMaxInactiveInterval()))
        .isEqualTo("0");
  }

  /** Tomcat's TestStandardSessionAccessor. */
  @Test
  void theLastAccessIsThatAtAnyTomcatAndAnAccessorCountsAsOne() {
    AtomicReference<HttpSession> session = new AtomicReference<>();
    cluster.get(
        0,
        browser,
        (request, response) -> {
          session.set(request.getSession());
          return "";
        });
    long created = session.get().getCreationTime();
    cluster.get(
        1,
        browser,
        (request, response) -> {
          HttpSession here = request.getSession(false);
          assertThat(here.getCreationTime()).isEqualTo(created);
          assertThat(here.getLastAccessedTime()).isBetween(created, System.currentTimeMillis());
          return "";
        });
    HttpSession.Accessor accessor = session.get().getAccessor();
    long before = System.currentTimeMillis();
    accessor.access(
        accessed -> assertThat(accessed.getLastAccessedTime()).isLessThanOrEqualTo(before));
    assertThat(session.get().getLastAccessedTime()).isGreaterThanOrEqualTo(before);
  }

  /** What it has set is written, whatever becomes of its response. */
  @Test
  void aRequestThatFailsKeepsWhatItHasSet() {
    HttpResponse<String> failed =
        cluster.ask(
            0,
            browser,
            (request, response) -> {
              request.getSession().setAttribute("user", "alice");
              throw new IllegalStateException("on purpose");
            });
    assertThat(failed.statusCode()).isEqualTo(500);
    assertThat(
            cluster.get(
                1, browser, (request, response) -> request.getSession(false).getAttribute("user")))
        .isEqualTo("alice");
  }

  /** Tomcat's TestPersistentValveAsync. */
  @Test
  void whatARequestSetsAfterItsThreadIsGoneIsShared() {
    HttpResponse<String> response =
        cluster.ask(
            0,
            browser,
            (request, answer) -> {
              HttpSession session = request.getSession();
              AsyncContext async = request.startAsync();
              async.start(() -> {
                session.setAttribute("late", "yes");
                async.complete();
              });
              return "";
            });
    assertThat(response.statusCode()).isEqualTo(200);
    eventually(() ->
        cluster
            .get(1, browser, (request, answer) -> request.getSession(false).getAttribute("late"))
            .equals("yes"));
  }

  /** Jetty's testStoreObjectAttributes: what is not Serializable is refused at once. */
  @Test
  void whatOthersCannotHaveIsRefused() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession();
          assertThatThrownBy(() -> session.setAttribute("thread", Thread.currentThread()))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("not Serializable");
          assertThatThrownBy(
                  () -> session.setAttribute("deep", new ArrayList<>(List.of(new Object()))))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("java.lang.Object");
          assertThat(names(session)).isEmpty();
          return "";
        });
  }

  @Test
  void aRemovedAttributeIsGoneEverywhere() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          request.getSession().setAttribute("a", 1);
          request.getSession().setAttribute("b", 2);
          return "";
        });
    cluster.get(
        1,
        browser,
        (request, response) -> {
          request.getSession().removeAttribute("a");
          request.getSession().setAttribute("b", null);
          request.getSession().removeAttribute("never there");
          return "";
        });
    assertThat(cluster.get(0, browser, (request, response) -> names(request.getSession(false))))
        .isEqualTo("[]");
  }
}
