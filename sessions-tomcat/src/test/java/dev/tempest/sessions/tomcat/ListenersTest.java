package dev.tempest.sessions.tomcat;

import static dev.tempest.sessions.tomcat.Cluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.catalina.Context;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is told what of a session that two Tomcats have. */
@Timeout(60)
final class ListenersTest {
  private static final List<String> TOLD = new CopyOnWriteArrayList<>();

  @TempDir static Path folder;
  private static Cluster cluster;

  private final Browser browser = new Browser();

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new Cluster(
            folder,
            (context, manager) -> {
              manager.setAttributeMaxBytes(10_000);
              Told told = new Told(context);
              context.setApplicationEventListeners(new Object[] {told});
              context.setApplicationLifecycleListeners(new Object[] {told});
            });
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @BeforeEach
  void forget() {
    TOLD.clear();
  }

  private record Told(Context context)
      implements HttpSessionListener, HttpSessionAttributeListener, HttpSessionIdListener {

    @Override
    public void sessionCreated(HttpSessionEvent event) {
      TOLD.add("created");
    }

    /** The session is as it was, and may be used as the specification allows. */
    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
      HttpSession session = event.getSession();
      TOLD.add("destroyed " + Collections.list(session.getAttributeNames()));
      session.setAttribute("late", 1);
      session.removeAttribute("late");
      session.invalidate();
    }

    @Override
    public void sessionIdChanged(HttpSessionEvent event, String before) {
      TOLD.add("id " + (before.equals(event.getSession().getId()) ? "the same" : "another"));
    }

    @Override
    public void attributeAdded(HttpSessionBindingEvent event) {
      TOLD.add("added " + event.getName() + "=" + event.getValue());
    }

    @Override
    public void attributeReplaced(HttpSessionBindingEvent event) {
      TOLD.add("replaced " + event.getName() + "=" + event.getValue());
    }

    @Override
    public void attributeRemoved(HttpSessionBindingEvent event) {
      TOLD.add("removed " + event.getName() + "=" + event.getValue());
    }
  }

  /** Tells what it is told, and has a resource that is only where it is in use. */
  private static final class Bound
      implements HttpSessionBindingListener, HttpSessionActivationListener, Serializable {
    private static final long serialVersionUID = 1;

    private byte[] ballast;
    private transient String resource = "open";

    Bound(int size) {
      ballast = new byte[size];
    }

    void grow(int size) {
      ballast = new byte[size];
    }

    @Override
    public void valueBound(HttpSessionBindingEvent event) {
      TOLD.add("bound");
    }

    @Override
    public void valueUnbound(HttpSessionBindingEvent event) {
      TOLD.add("unbound " + resource);
    }

    @Override
    public void sessionWillPassivate(HttpSessionEvent event) {
      resource = "closed";
    }

    @Override
    public void sessionDidActivate(HttpSessionEvent event) {
      resource = "open again";
    }

    @Override
    public String toString() {
      return "Bound" + ballast.length;
    }
  }

  @Test
  void attributesAreToldWhereTheyAreSet() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession();
          session.setAttribute("a", 1);
          session.setAttribute("a", 2);
          return "";
        });
    cluster.get(
        1,
        browser,
        (request, response) -> {
          request.getSession(false).setAttribute("a", 3);
          request.getSession(false).removeAttribute("a");
          request.getSession(false).removeAttribute("a");
          return "";
        });
    assertThat(TOLD)
        .containsExactly("created", "added a=1", "replaced a=1", "replaced a=2", "removed a=3");
  }

  @Test
  void anotherIdIsToldOnce() {
    cluster.get(0, browser, (request, response) -> request.getSession().getId());
    cluster.get(1, browser, (request, response) -> request.changeSessionId());
    cluster.get(0, browser, (request, response) -> request.getSession(false).getId());
    assertThat(TOLD).containsExactly("created", "id another");
  }

  private TempestSession begun() throws IOException {
    String id = cluster.get(0, new Browser(), (request, response) -> request.getSession().getId());
    return (TempestSession) Objects.requireNonNull(cluster.manager(0).findSession(id));
  }

  /** A request may find that it has ended while another one is about to tell of that. */
  @Test
  void whoIsToTellOfAnEndFindsItValidOrTakesAnotherObject() throws IOException {
    TempestSession told = begun();
    assertThat(told.claimEnd()).isTrue();
    told.endedElsewhere();
    assertThat(told.isValid()).isTrue();
    TOLD.clear();
    cluster.manager(0).shared().find(told.getIdInternal()).orElseThrow().invalidate();
    assertThat(TOLD)
        .filteredOn(news -> news.startsWith("destroyed"))
        .containsExactly("destroyed []");

    TempestSession found = begun();
    found.endedElsewhere();
    assertThat(found.isValid()).isFalse();
    assertThat(found.claimEnd()).isFalse();
  }

  @Test
  void aSessionThatIsInvalidatedIsToldOnceWithWhatItHad() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          request.getSession().setAttribute("bound", new Bound(0));
          return "";
        });
    String id =
        cluster.get(
            1,
            browser,
            (request, response) -> {
              Bound bound = (Bound) request.getSession(false).getAttribute("bound");
              assertThat(bound.resource).isEqualTo("open again");
              return request.getSession(false).getId();
            });
    TOLD.clear();
    cluster.get(
        1,
        browser,
        (request, response) -> {
          request.getSession(false).invalidate();
          return "";
        });
    eventually(() -> cluster.manager(0).findSession(id) == null);
    assertThat(TOLD)
        .containsExactly(
            "destroyed [bound]",
            "added late=1",
            "removed late=1",
            "unbound open again",
            "removed bound=Bound0");
    assertThat(cluster.manager(1).getExpiredSessions()).isPositive();
  }

  /** Tomcat's testBug62175, among others: told once, at a Tomcat that may never have had it. */
  @Test
  void aSessionThatExpiresIsToldOnceWithWhatItHad() {
    String id =
        cluster.get(
            0,
            browser,
            (request, response) -> {
              request.getSession().setAttribute("user", "alice");
              request.getSession().setMaxInactiveInterval(1);
              return request.getSession().getId();
            });
    eventually(() -> TOLD.contains("removed user=alice"));
    eventually(() -> cluster.manager(0).findSession(id) == null);
    eventually(() -> cluster.manager(1).findSession(id) == null);
    assertThat(TOLD)
        .containsExactly(
            "created",
            "added user=alice",
            "destroyed [user]",
            "added late=1",
            "removed late=1",
            "removed user=alice");
  }

  /** Tomcat's TestStandardSession, as far as it speaks of values that are bound. */
  @Test
  void theSameValueAgainIsNotBoundAgainAndOneThatIsReplacedIsUnbound() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          Bound bound = new Bound(0);
          request.getSession().setAttribute("bound", bound);
          request.getSession().setAttribute("bound", bound);
          request.getSession().setAttribute("bound", "another");
          return "";
        });
    assertThat(TOLD)
        .containsExactly(
            "created",
            "bound",
            "added bound=Bound0",
            "replaced bound=Bound0",
            "unbound open again",
            "replaced bound=Bound0");
  }

  /** A value that has grown too large stays as it was, and bound. */
  @Test
  void theSameValueThatIsRefusedIsStillBound() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession();
          Bound bound = new Bound(0);
          session.setAttribute("bound", bound);
          bound.grow(20_000);
          assertThatThrownBy(() -> session.setAttribute("bound", bound))
              .isInstanceOf(IllegalArgumentException.class);
          return "";
        });
    assertThat(TOLD).containsExactly("created", "bound", "added bound=Bound0");
  }

  /** Ends its session as soon as it is there. */
  private static final class Ending
      implements HttpSessionActivationListener, HttpSessionBindingListener, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public void valueBound(HttpSessionBindingEvent event) {
      TOLD.add("ending bound");
    }

    @Override
    public void valueUnbound(HttpSessionBindingEvent event) {
      TOLD.add("ending unbound");
    }

    @Override
    public void sessionDidActivate(HttpSessionEvent event) {
      event.getSession().invalidate();
    }
  }

  @Test
  void aValueIsUnboundThatIsReplacedWhileTheSessionEnds() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession();
          session.setAttribute("bound", new Bound(0));
          assertThatThrownBy(() -> session.setAttribute("bound", new Ending()))
              .isInstanceOf(IllegalStateException.class);
          return "";
        });
    assertThat(TOLD).containsOnlyOnce("unbound open again", "ending bound", "ending unbound");
  }

  /** Waits for another thread that uses the session, while it is written. */
  private static final class Waiting implements HttpSessionBindingListener, Serializable {
    private static final long serialVersionUID = 1;
    private transient @Nullable Thread other;

    Waiting(Thread other) {
      this.other = other;
    }

    @Serial
    private void writeObject(ObjectOutputStream out) throws IOException {
      if (other != null) {
        other.start();
        try {
          if (!other.join(Duration.ofSeconds(10))) {
            throw new IllegalStateException("the session is locked");
          }
        } catch (InterruptedException stopped) {
          throw new InterruptedIOException();
        }
        other = null;
      }
      out.defaultWriteObject();
    }
  }

  @Test
  void aValueThatIsBoundIsWrittenWithoutALock() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession();
          Thread other = new Thread(() -> session.setAttribute("user", "alice"));
          session.setAttribute("bound", new Waiting(other));
          return "";
        });
    assertThat(TOLD).contains("added user=alice");
  }

  @Test
  void aValueThatIsRefusedIsNotBound() {
    cluster.get(
        0,
        browser,
        (request, response) -> {
          HttpSession session = request.getSession();
          assertThatThrownBy(() -> session.setAttribute("bound", new Bound(20_000)))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("attributeMaxBytes");
          return "";
        });
    assertThat(TOLD).containsExactly("created", "bound", "unbound open again");
  }
}
