package dev.tempest.sessions.servlet;

import dev.tempest.OverloadedException;
import dev.tempest.UnknownOutcomeException;
import dev.tempest.sessions.Session;
import dev.tempest.sessions.Unwritten;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The session of one request, however often that is dispatched, and what its client is told. */
final class RequestSession implements SavingResponse.Telling, SharedHttpSession.Ending {
  private final SeenByClient seen;
  private final SessionEvents events;
  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final List<String> requestedIds;
  private final OuterHeaders outer;

  private SavingResponse saving;
  private boolean isLookedUp;
  private @Nullable SharedHttpSession current;

  /** Of the ids that the client has brought, the one of a session. */
  private Optional<String> requestedId = Optional.empty();

  /** The id that the client has, once it has one that counts. */
  private Optional<String> toldId = Optional.empty();

  /** Whether the client will learn how things are, unless the session changes. */
  private boolean isTold;

  /** Why it was not saved as configured, until the client is told to try again. */
  private @Nullable RuntimeException unsaved;

  RequestSession(
      SeenByClient seen,
      SessionEvents events,
      HttpServletRequest request,
      HttpServletResponse response) {
    this.seen = seen;
    this.events = events;
    this.request = request;
    this.response = response;
    this.requestedIds = seen.cookie().idsOf(request);
    this.outer = OuterHeaders.of(response);
    this.saving = new SavingResponse(response, this);
  }

  OuterHeaders outer() {
    return outer;
  }

  /** The response, for the application. */
  synchronized SavingResponse response() {
    return saving;
  }

  /** An error page begins a response of its own, perhaps without the headers of the one before. */
  synchronized SavingResponse responseOfError() {
    saving = new SavingResponse(response, this);
    untold();
    return saving;
  }

  /** The first one, as long as nobody has asked for the session. */
  synchronized Optional<String> requestedId() {
    return requestedId.or(() -> requestedIds.stream().findFirst());
  }

  synchronized boolean isRequestedValid() {
    lookUp();
    return requestedId.isPresent();
  }

  synchronized @Nullable SharedHttpSession get(boolean create) {
    lookUp();
    if (current != null && current.isEnded()) {
      current = null;
      isTold = false;
    }
    if (current == null && create) {
      if (response.isCommitted()) {
        throw new IllegalStateException(
            "no session can begin once the response has been sent: its client would not learn it");
      }
      current = view(seen.sessions().create(), true);
      isTold = false;
      tellId(current); // A forward without the filter may close the response.
    }
    return current;
  }

  private SharedHttpSession view(Session session, boolean isNew) {
    return new SharedHttpSession(session, events, isNew, this);
  }

  @Override
  public synchronized void failed(RuntimeException why) {
    unsaved = why;
  }

  @Override
  public synchronized void mended(RuntimeException before) {
    if (before.equals(unsaved)) { // Else something else was not saved.
      unsaved = null;
    }
  }

  private void lookUp() {
    if (isLookedUp) {
      return;
    }
    isLookedUp = true;
    for (String id : requestedIds) {
      Session found = seen.sessions().find(id).orElse(null);
      if (found != null) {
        current = view(found, false);
        found.accessed(Instant.now());
        requestedId = Optional.of(id);
        toldId = requestedId;
        return;
      }
    }
  }

  /** Listeners are told without the lock: they may wait for another thread of the request. */
  String changeId() {
    SharedHttpSession session;
    String before;
    String after;
    synchronized (this) {
      session = requireChangeable();
      before = session.getId();
      after = session.changeId();
    }
    events.idChanged(session, before);
    return after;
  }

  private SharedHttpSession requireChangeable() {
    SharedHttpSession session = get(false);
    if (session == null) {
      throw new IllegalStateException("the request has no session whose id could change");
    }
    if (response.isCommitted()) {
      throw new IllegalStateException(
          "no id can change once the response has been sent: its client would not learn it");
    }
    return session;
  }

  /** What the client is told has been saved: else nothing goes out, whoever caught why. */
  @Override
  public synchronized void tell() {
    if (unsaved != null) {
      throw unsaved;
    }
    if (!isTold || (current != null && current.isChanged())) {
      saveAndTell();
    }
  }

  @Override
  public synchronized void untold() {
    toldId = requestedId;
    isTold = false;
  }

  /** The last moment, also for values that have changed in place. */
  synchronized void end() {
    RuntimeException before = unsaved;
    if (before != null) {
      save();
      throw before;
    }
    if (response.isCommitted()) {
      save();
    } else {
      saveAndTell();
    }
  }

  /** For all but the client: the response has gone out, or is another thread's. */
  synchronized void save() {
    if (current != null && !current.isEnded()) {
      current.save();
    }
  }

  private void saveAndTell() {
    isTold = true;
    try {
      if (current == null || current.isEnded()) {
        tellGone();
      } else if (current.save()) {
        tellIdAndSeen(current);
      } else if (!toldId.equals(requestedId)) {
        tellGone(); // Else the request that ended it may have given the client another one.
      }
    } catch (RuntimeException failed) {
      if (Unwritten.is(failed)) {
        unsaved = failed;
      }
      tellUnsaved();
      throw failed;
    }
  }

  /** Why it was not saved as configured, if the client has not been told yet. */
  synchronized @Nullable RuntimeException unsaved() {
    return unsaved;
  }

  /** The response says that the client is to try again. */
  synchronized void refused() {
    request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION); // Else that counts for more.
    unsaved = null;
    tellUnsaved();
  }

  /** Not all that fails has changed nothing: the client is to have an id that leads somewhere. */
  private void tellUnsaved() {
    if (current == null || current.isEnded()) {
      tellGone();
    } else if (isThere(current.getId())) {
      tellId(current);
      seen.tell(request, response);
    }
  }

  private boolean isThere(String id) {
    try {
      return seen.sessions().find(id).isPresent();
    } catch (OverloadedException | UnknownOutcomeException unread) {
      return false;
    }
  }

  private void tellIdAndSeen(SharedHttpSession session) {
    if (isReplaced(session.getId())) {
      takeBackId();
    } else {
      tellId(session);
    }
    seen.tell(request, response);
  }

  /**
   * Whether another request has changed the id as well, and later: then this one's leads nowhere.
   * Nor is its client to learn the other one. Whoever knew the id before could have sent this
   * request, and would get into a session in which somebody else has logged in.
   */
  private boolean isReplaced(String id) {
    if (requestedId.isEmpty() || requestedId.get().equals(id)) {
      return false;
    }
    try {
      return seen.sessions().find(id).isEmpty();
    } catch (OverloadedException | UnknownOutcomeException unread) {
      return false;
    }
  }

  private void takeBackId() {
    SessionCookie.takeBack(response, seen.cookie().name());
    toldId = requestedId;
  }

  private void tellId(SharedHttpSession session) {
    Optional<String> id = Optional.of(session.getId());
    if (!toldId.equals(id)) {
      SessionCookie.put(response, seen.cookie().ofId(request, id.get()));
      toldId = id;
    }
  }

  private void tellGone() {
    if (toldId.isPresent()) {
      SessionCookie.put(response, seen.cookie().gone(request, seen.cookie().name()));
      SessionCookie.put(response, seen.cookie().gone(request, seen.cookie().seenName()));
      toldId = Optional.empty();
    }
  }
}
