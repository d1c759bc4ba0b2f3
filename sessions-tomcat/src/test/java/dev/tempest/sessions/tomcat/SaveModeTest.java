package dev.tempest.sessions.tomcat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.sessions.SaveMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.loader.WebappLoader;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Of applications that change values in place, and of what stays in one Tomcat. */
@Timeout(60)
final class SaveModeTest {
  @TempDir static Path folder;
  private static Cluster cluster;

  private final Browser browser = new Browser();

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new Cluster(
            folder,
            (context, manager) -> {
              manager.setSaveMode("on_get");
              manager.setAttributeMaxBytes(10_000);
              manager.setSessionAttributeNameFilter("(?!local).*");
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  /** Not that of another request. */
  @SuppressWarnings("unchecked")
  private static List<String> list(HttpSession session) {
    return (List<String>) session.getAttribute("list");
  }

  private void begin() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          request.getSession().setAttribute("list", new ArrayList<>(List.of("a")));
          return "";
        });
  }

  private String at(int tomcat) {
    return cluster.get(tomcat, browser, (request, response) -> list(request.getSession(false)));
  }

  @Test
  void whatChangesInPlaceIsSavedBeforeTheResponseGoesOut() {
    begin();
    for (int i = 0; i < 20; i++) {
      int count = i;
      cluster.get(
          i % 2,
          browser,
          (request, response) -> {
            List<String> list = list(request.getSession(false));
            assertThat(list).hasSize(count + 1);
            list.add("b");
            return "";
          });
    }
  }

  /** Two requests at one Tomcat have the same object: the first one's end saves nothing away. */
  @Test
  void aRequestThatBeganBeforeAnotherOneStillSavesWhatItChanges() throws Exception {
    begin();
    CountDownLatch hasRead = new CountDownLatch(1);
    CountDownLatch otherIsDone = new CountDownLatch(1);
    Thread slow =
        Thread.ofVirtual()
            .start(() ->
                cluster.get(
                    1,
                    browser,
                    (request, response) -> {
                      List<String> list = list(request.getSession(false));
                      hasRead.countDown();
                      otherIsDone.await();
                      list.add("slow");
                      return "";
                    }));
    hasRead.await();
    cluster.get(
        1,
        browser,
        (request, response) -> {
          request.getSession(false).setAttribute("quick", 1);
          return "";
        });
    otherIsDone.countDown();
    slow.join();
    assertThat(at(0)).isEqualTo("[a, slow]");
  }

  /** Tomcat's TestPersistentValveAsync. */
  @Test
  void whatChangesInPlaceAfterTheThreadIsGoneIsSavedAtTheEnd() {
    begin();
    cluster.ask(
        1,
        browser,
        (request, response) -> {
          List<String> list = list(request.getSession(false));
          AsyncContext async = request.startAsync();
          async.start(() -> {
            list.add("late");
            async.complete();
          });
          return "";
        });
    Cluster.eventually(() -> at(0).equals("[a, late]"));
  }

  @Test
  void whatHasGrownTooLargeIsAnErrorAndNotSilence() {
    begin();
    HttpResponse<String> response =
        cluster.ask(
            0,
            browser,
            (request, answer) -> {
              list(request.getSession(false)).add("x".repeat(10_001));
              return "";
            });
    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(at(1)).isEqualTo("[a]");
  }

  /** Waits, whenever it is told something, for another thread that uses the session. */
  private static final class Waiting implements HttpSessionActivationListener, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public void sessionWillPassivate(HttpSessionEvent event) {
      useElsewhere(event.getSession());
    }

    @Override
    public void sessionDidActivate(HttpSessionEvent event) {
      useElsewhere(event.getSession());
    }

    @SuppressWarnings("SynchronizationOnLocalVariableOrMethodParameter") // As applications do.
    private static void useElsewhere(HttpSession session) {
      Thread other =
          Thread.ofVirtual()
              .start(() -> {
                synchronized (session) {
                  session.getAttribute("list");
                }
              });
      try {
        other.join();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Set, read elsewhere, and saved at the end of a request that changed another value. */
  @Test
  void listenersAreToldWithoutALock() {
    begin();
    for (int tomcat : List.of(0, 1, 0)) {
      cluster.get(
          tomcat,
          browser,
          (request, response) -> {
            HttpSession session = request.getSession(false);
            if (session.getAttribute("waiting") == null) {
              session.setAttribute("waiting", new Waiting());
            }
            list(session).add("more");
            return "";
          });
    }
    assertThat(at(1)).isEqualTo("[a, more, more, more]");
  }

  /**
   * As one that waits for a lock which another thread of the application has, when it is written.
   */
  private static final class Locked implements Serializable {
    private static final long serialVersionUID = 1;
    private static final AtomicReference<Runnable> MEANWHILE = new AtomicReference<>(() -> {});

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      MEANWHILE.getAndSet(() -> {}).run();
    }

    static void meanwhile(Runnable use) {
      MEANWHILE.set(() -> {
        Thread other = Thread.ofVirtual().start(use);
        try {
          other.join();
        } catch (InterruptedException late) {
          throw new IllegalStateException(late);
        }
      });
    }
  }

  @Test
  void whoeverHasLockedAValueMayUseItsSession() {
    begin();
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession(false);
          Locked.meanwhile(() -> {
            at(0); // Another request sees the session.
            session.setAttribute("user", session.getAttribute("list"));
          });
          session.setAttribute("locked", new Locked());
          assertThat(session.getAttribute("user")).isNotNull();
          Locked.meanwhile(() -> session.setAttribute("user", session.getAttribute("list")));
          session.removeAttribute("user");
          return "";
        });
    assertThat(
            cluster.get(
                1, browser, (request, response) -> request.getSession(false).getAttribute("user")))
        .isEqualTo("[a]");
  }

  /** As in Tomcat's own clusters. */
  @Test
  void whatTheFilterExcludesStaysInThisTomcat() {
    Thread any = Thread.currentThread();
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession();
          session.setAttribute("local-thread", any);
          session.setAttribute("shared", 1);
          return "";
        });
    cluster.get(
        1,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession(false);
          assertThat(session.getAttribute("local-thread")).isNull();
          assertThat(session.getAttribute("shared")).isEqualTo(1);
          return "";
        });
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession(false);
          assertThat(session.getAttribute("local-thread")).isSameAs(any);
          session.removeAttribute("local-thread");
          assertThat(session.getAttribute("local-thread")).isNull();
          return "";
        });
  }

  @Test
  void aModeThatThereIsNotIsRefused() throws LifecycleException {
    TempestManager manager = new TempestManager(cluster.node(0));
    manager.setSaveMode("sometimes");
    manager.setContext(cluster.context(0));
    assertThatThrownBy(manager::start)
        .isInstanceOf(LifecycleException.class)
        .hasRootCauseMessage(
            "saveMode is one of " + List.of(SaveMode.values()) + ", not 'sometimes'");
    manager.destroy();
  }

  @Test
  void aLimitThatIsTooHighIsRefusedByTheNameOfTheApplication() throws LifecycleException {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    Context root = tomcat.addContext("", folder.toString());
    root.setLoader(new WebappLoader());
    TempestManager manager = new TempestManager(cluster.node(0));
    manager.setSessionMaxBytes(64 << 20);
    manager.setContext(root);
    assertThatThrownBy(manager::start)
        .isInstanceOf(LifecycleException.class)
        .hasStackTraceContaining(
            "The sessions of ROOT cannot be shared: sessionMaxBytes must be 1 to 12,582,912, not"
                + " 67,108,864");
    manager.destroy();
  }
}
