package dev.tempest.sessions.spring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockServletContext;
import org.springframework.session.events.AbstractSessionEvent;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;
import org.springframework.session.web.http.SessionEventHttpSessionListenerAdapter;

/** Each event is published once, whichever process the session is known to. */
final class EventsTest extends TwoInstances {
  private void assertEvents(TempestSession session, List<Class<?>> kinds) {
    eventually(() -> events.size() >= kinds.size());
    eventually(() -> sessions().stream().allMatch(each -> each.size() == 0));
    assertThat(events).extracting(Object::getClass).containsExactlyElementsOf(List.copyOf(kinds));
    assertThat(events).extracting(AbstractSessionEvent::getSessionId).containsOnly(session.getId());
  }

  @Test
  void aSessionIsCreatedAndDeletedOnce() {
    TempestSession session = saved("user", "alice");
    session.setAttribute("a", "b");
    one.save(session);
    assertThat(events).hasSize(1);
    assertThat(events.getFirst()).isInstanceOf(SessionCreatedEvent.class);
    assertThat(events.getFirst().<TempestSession>getSession().<String>getAttribute("user"))
        .isEqualTo("alice");
    atOther(session.getId());
    other.deleteById(session.getId());
    assertEvents(session, List.of(SessionCreatedEvent.class, SessionDeletedEvent.class));
    assertThat(events.getLast().<TempestSession>getSession().<String>getAttribute("user"))
        .isEqualTo("alice");
  }

  @Test
  void aSessionExpiresOnceAndIsNotFoundThen() {
    open(config -> config.maxInactive(Duration.ofMillis(300)).touchEvery(Duration.ZERO));
    TempestSession session = saved("user", "alice");
    assertEvents(session, List.of(SessionCreatedEvent.class, SessionExpiredEvent.class));
    assertThat(events.getLast().<TempestSession>getSession().<String>getAttribute("user"))
        .isEqualTo("alice");
    assertThat(one.findById(session.getId())).isNull();
  }

  /** spring-projects/spring-session#1300. */
  @Test
  void aShorterTimeCountsAtOnce() {
    open(config -> config.touchEvery(Duration.ZERO));
    TempestSession session = saved("user", "alice");
    TempestSession request = atOther(session.getId());
    request.setLastAccessedTime(Instant.now());
    request.setMaxInactiveInterval(Duration.ofMillis(200));
    other.save(request);
    assertEvents(session, List.of(SessionCreatedEvent.class, SessionExpiredEvent.class));
  }

  /** spring-projects/spring-session#1077. */
  @Test
  void anotherIdIsNoEvent() {
    TempestSession session = saved("user", "alice");
    session.changeSessionId();
    one.save(session);
    atOther(session.getId());
    assertThat(events).hasSize(1);
    one.deleteById(session.getId());
    assertThat(events)
        .extracting(AbstractSessionEvent::getClass)
        .isEqualTo(List.of(SessionCreatedEvent.class, SessionDeletedEvent.class));
  }

  @Test
  void listenersOfServletsAreTold() {
    List<String> told = new ArrayList<>();
    var adapter = new SessionEventHttpSessionListenerAdapter(List.of(new Listener(told)));
    adapter.setServletContext(new MockServletContext());
    var repository =
        new TempestSessionRepository(
            sessions().getFirst(),
            event -> adapter.onApplicationEvent((AbstractSessionEvent) event));
    TempestSession session = repository.createSession();
    session.setAttribute("user", "alice");
    repository.save(session);
    assertThat(session.<String>getAttribute("setByListener")).isEqualTo("kept");
    assertThat(repository.findById(session.getId()).<String>getAttribute("setByListener"))
        .isEqualTo("kept");
    repository.deleteById(session.getId());
    assertThat(told).containsExactly("begin alice", "end alice");
  }

  private record Listener(List<String> told) implements HttpSessionListener {
    @Override
    public void sessionCreated(HttpSessionEvent event) {
      HttpSession session = event.getSession();
      told.add("begin " + session.getAttribute("user"));
      session.setAttribute("setByListener", "kept");
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
      told.add("end " + event.getSession().getAttribute("user"));
    }
  }
}
