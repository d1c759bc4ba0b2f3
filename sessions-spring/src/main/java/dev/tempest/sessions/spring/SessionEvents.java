package dev.tempest.sessions.spring;

import dev.tempest.sessions.Session;
import dev.tempest.sessions.SessionEnd;
import dev.tempest.sessions.SessionListener;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;

/** Publishes what happens to sessions as the events of Spring Session. */
record SessionEvents(TempestSessionRepository repository, ApplicationEventPublisher events)
    implements SessionListener {

  /** What a listener sets counts beside what the request sets, which goes on with its own view. */
  @Override
  public void created(Session session) {
    TempestSession begun = repository.findById(session.id());
    if (begun != null) {
      events.publishEvent(new SessionCreatedEvent(repository, begun));
      repository.save(begun);
    }
  }

  @Override
  public void ended(Session session, SessionEnd why) {
    TempestSession ended = repository.view(session);
    events.publishEvent(
        switch (why) {
          case INVALIDATED -> new SessionDeletedEvent(repository, ended);
          case EXPIRED -> new SessionExpiredEvent(repository, ended);
        });
  }
}
