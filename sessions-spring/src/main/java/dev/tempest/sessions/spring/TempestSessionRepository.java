package dev.tempest.sessions.spring;

import dev.tempest.MissingAcksException;
import dev.tempest.sessions.Session;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.Unwritten;
import dev.tempest.sessions.servlet.SeenFilter;
import dev.tempest.sessions.servlet.SessionCookie;
import jakarta.servlet.Filter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.FlushMode;
import org.springframework.session.IndexResolver;
import org.springframework.session.PrincipalNameIndexResolver;
import org.springframework.session.web.http.SessionRepositoryFilter;

/**
 * Sessions for Spring Session that all processes of an application share.
 *
 * <pre>{@code
 * @Configuration
 * @EnableSpringHttpSession
 * class SessionsOfApplication {
 *   @Bean
 *   Sessions sessions(Node node) {
 *     return Sessions.of(node, SessionsConfig.builder().build());
 *   }
 *
 *   @Bean
 *   TempestSessionRepository repository(Sessions sessions, ApplicationEventPublisher events) {
 *     return new TempestSessionRepository(sessions, events);
 *   }
 * }
 * }</pre>
 *
 * <p>What a request has set is saved attribute by attribute; of two requests that set different
 * ones nothing is lost. The events of Spring Session are published once in a cluster, at the
 * process that {@link dev.tempest.sessions.SessionListener} names.
 *
 * <p>Thread-safe, once it is set up.
 */
public final class TempestSessionRepository
    implements FindByIndexNameSessionRepository<TempestSession> {
  /** Where the filter of Spring Session keeps the session of a request. */
  private static final String OF_REQUEST =
      SessionRepositoryFilter.SESSION_REPOSITORY_ATTR + ".CURRENT_SESSION";

  private final Sessions sessions;

  /** Those of requests under way: nobody else knows their new ids. */
  private final Set<TempestSession> renamed =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private FlushMode flushMode = FlushMode.ON_SAVE;
  private IndexResolver<org.springframework.session.Session> indexes =
      new PrincipalNameIndexResolver<>();

  /**
   * A repository of sessions, until those are closed.
   *
   * @param sessions closed by whoever opened them
   * @param events gets the events of Spring Session; an application context does
   */
  public TempestSessionRepository(Sessions sessions, ApplicationEventPublisher events) {
    this.sessions = sessions;
    sessions.listen(new SessionEvents(this, events));
  }

  /**
   * When a request's changes are saved: with {@link FlushMode#IMMEDIATE} each at once. Default:
   * {@link FlushMode#ON_SAVE}, before the response.
   */
  public void setFlushMode(FlushMode mode) {
    flushMode = mode;
  }

  /**
   * By what sessions are found. Default: the name of the principal, as {@link
   * PrincipalNameIndexResolver} says. An index stays as it is while the attribute that it is made
   * of cannot be read in this process.
   */
  public void setIndexResolver(IndexResolver<org.springframework.session.Session> resolver) {
    indexes = resolver;
  }

  @Override
  public TempestSession createSession() {
    TempestSession session = view(sessions.create());
    if (flushMode == FlushMode.IMMEDIATE) {
      save(session);
    }
    return session;
  }

  /**
   * Saves what has changed, and nothing if the session has ended. Within a request behind {@link
   * #seenFilter}, missing acks are not thrown: the session is saved all the same, Spring Session
   * tells the client its id, and the filter answers 503.
   *
   * @throws dev.tempest.sessions.SessionLimitException if there are too many sessions, or what it
   *     is to be found by has more than 1,024 characters; nothing was saved then
   * @throws MissingAcksException if fewer processes are known to have it in time; not in a request
   *     behind {@link #seenFilter}
   * @throws dev.tempest.OverloadedException if linearizable sessions cannot be written now
   * @throws dev.tempest.UnknownOutcomeException if it is not known whether they were written
   */
  @Override
  public void save(TempestSession session) {
    refusing(() -> write(session));
  }

  /** Writes something; a request that cannot is refused, however the application takes that. */
  private static void refusing(Runnable write) {
    try {
      write.run();
    } catch (RuntimeException failed) {
      boolean isRefused = Unwritten.is(failed) && SeenFilter.refuse(failed);
      if (!isRefused || !(failed instanceof MissingAcksException)) {
        throw failed;
      }
    }
  }

  private void write(TempestSession session) {
    if (session.takeIsWritten()) {
      try {
        index(session);
      } catch (RuntimeException failed) {
        session.written(); // Else it could be saved once more, and not be found.
        throw failed;
      }
    }
    session.session().save();
    renamed.remove(session);
  }

  private void index(TempestSession session) {
    ReadableAttributes attributes = new ReadableAttributes(session);
    Map<String, String> resolved = indexes.resolveIndexesFor(attributes);
    if (!attributes.hasMissed()) {
      for (String before : session.session().indexes()) {
        if (!resolved.containsKey(before)) {
          session.session().index(before, null);
        }
      }
    }
    resolved.forEach(session.session()::index);
  }

  @Override
  public @Nullable TempestSession findById(String id) {
    return sessions.find(id).map(this::view).orElse(null);
  }

  /**
   * Ends a session, whether it is known by that id or about to be, once a request is saved. Missing
   * acks are thrown as {@link #save} says: it has ended all the same.
   */
  @Override
  public void deleteById(String id) {
    refusing(() -> sessions.find(id).or(() -> renamedTo(id)).ifPresent(Session::invalidate));
  }

  private Optional<Session> renamedTo(String id) {
    synchronized (renamed) {
      return renamed.stream()
          .map(TempestSession::session)
          .filter(each -> each.id().equals(id))
          .findFirst();
    }
  }

  /** {@inheritDoc} None for null, as the name of a principal that there is not. */
  @Override
  public Map<String, TempestSession> findByIndexNameAndIndexValue(
      @Nullable String index, @Nullable String value) {
    Map<String, TempestSession> found = new LinkedHashMap<>();
    if (index == null || value == null) {
      return found;
    }
    for (Session each : sessions.findByIndex(index, value)) {
      found.put(each.id(), view(each));
    }
    return found;
  }

  /**
   * A filter that lets clients read their own writes at any process; comes before that of Spring
   * Session. See {@link SeenFilter}.
   *
   * @param cookie like the one with which Spring Session tells clients their sessions
   */
  public Filter seenFilter(SessionCookie cookie) {
    return SeenFilter.of(sessions, cookie, request -> request.getAttribute(OF_REQUEST) != null);
  }

  TempestSession view(Session session) {
    return new TempestSession(this, session);
  }

  /** Of a request that is refused anyway, all further changes wait for its end, and only once. */
  void changed(TempestSession session) {
    if (flushMode == FlushMode.IMMEDIATE && !SeenFilter.isRefused()) {
      save(session);
    }
  }

  void renamed(TempestSession session) {
    renamed.add(session);
    changed(session);
  }
}
