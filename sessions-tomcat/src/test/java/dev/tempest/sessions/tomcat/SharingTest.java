package dev.tempest.sessions.tomcat;

import static dev.tempest.sessions.tomcat.Cluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpSession;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
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
              .start(
                  () ->
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
      eventually(
          () ->
              cluster
                  .get(here, browser, (request, response) -> names(request.getSession(false)))
                  .equals("[of-0, of-1]"));
    }
  }
}
