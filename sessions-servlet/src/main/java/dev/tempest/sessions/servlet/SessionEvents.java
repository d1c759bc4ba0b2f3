package dev.tempest.sessions.servlet;

import dev.tempest.sessions.Session;
import dev.tempest.sessions.SessionEnd;
import dev.tempest.sessions.SessionListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.util.EventListener;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells listeners of servlets. Beginning and end are told once in a cluster; attributes where they
 * are set; attributes that are listeners themselves, also where the session ends.
 */
final class SessionEvents implements SessionListener {
  private static final System.Logger LOGGER = System.getLogger(SessionEvents.class.getName());

  private final ServletContext context;
  private final List<EventListener> listeners;

  SessionEvents(ServletContext context, List<EventListener> listeners) {
    this.context = context;
    this.listeners = listeners;
  }

  ServletContext context() {
    return context;
  }

  /** For listeners, who have no client that could be told what became of a write. */
  private SharedHttpSession view(Session session, boolean isNew) {
    return new SharedHttpSession(session, this, isNew, failed -> {});
  }

  @Override
  public void created(Session session) {
    HttpSessionEvent event = new HttpSessionEvent(view(session, true));
    each(HttpSessionListener.class, listener -> listener.sessionCreated(event));
  }

  @Override
  public void ended(Session session, SessionEnd why) {
    SharedHttpSession view = view(session, false);
    HttpSessionEvent event = new HttpSessionEvent(view);
    each(HttpSessionListener.class, listener -> listener.sessionDestroyed(event));
    unbind(view, session);
  }

  /** The values hear of its end, also where nobody else has heard that it began. */
  void unbind(SharedHttpSession view, Session session) {
    for (String name : session.names()) {
      if (session.get(name) instanceof HttpSessionBindingListener bound) {
        safely(() -> bound.valueUnbound(new HttpSessionBindingEvent(view, name, bound)));
      }
    }
  }

  void idChanged(SharedHttpSession session, String before) {
    HttpSessionEvent event = new HttpSessionEvent(session);
    each(HttpSessionIdListener.class, listener -> listener.sessionIdChanged(event, before));
  }

  @SuppressWarnings("ReferenceEquality") // Whether it is the same listener.
  void attributeSet(SharedHttpSession session, String name, @Nullable Object before, Object value) {
    if (value instanceof HttpSessionBindingListener bound && value != before) {
      safely(() -> bound.valueBound(new HttpSessionBindingEvent(session, name, value)));
    }
    if (before instanceof HttpSessionBindingListener unbound && value != before) {
      safely(() -> unbound.valueUnbound(new HttpSessionBindingEvent(session, name, before)));
    }
    if (before == null) {
      HttpSessionBindingEvent event = new HttpSessionBindingEvent(session, name, value);
      each(HttpSessionAttributeListener.class, listener -> listener.attributeAdded(event));
    } else {
      HttpSessionBindingEvent event = new HttpSessionBindingEvent(session, name, before);
      each(HttpSessionAttributeListener.class, listener -> listener.attributeReplaced(event));
    }
  }

  void attributeRemoved(SharedHttpSession session, String name, Object before) {
    HttpSessionBindingEvent event = new HttpSessionBindingEvent(session, name, before);
    if (before instanceof HttpSessionBindingListener unbound) {
      safely(() -> unbound.valueUnbound(event));
    }
    each(HttpSessionAttributeListener.class, listener -> listener.attributeRemoved(event));
  }

  private <L extends EventListener> void each(Class<L> kind, Consumer<L> news) {
    for (EventListener each : listeners) {
      if (kind.isInstance(each)) {
        safely(() -> news.accept(kind.cast(each)));
      }
    }
  }

  /** One that fails keeps nobody else from hearing it, nor the request from going on. */
  private static void safely(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failed) {
      LOGGER.log(System.Logger.Level.WARNING, "A listener of sessions failed", failed);
    }
  }
}
