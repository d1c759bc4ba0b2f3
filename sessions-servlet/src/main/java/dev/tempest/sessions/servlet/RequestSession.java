package dev.tempest.sessions.servlet;

import dev.tempest.sessions.Session;
import dev.tempest.sessions.Sessions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The session of one request, however often that is dispatched. */
final class RequestSession {
  private final Sessions sessions;
  private final SessionCookie cookie;
  private final SessionEvents events;
  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final List<String> requestedIds;

  private boolean isLookedUp;
  private @Nullable SharedHttpSession current;

  /** The id that the client has, once it has one that counts. */
  private Optional<String> toldId = Optional.empty();

  private boolean isRequestedValid;

  RequestSession(
      Sessions sessions,
      SessionCookie cookie,
      SessionEvents events,
      HttpServletRequest request,
      HttpServletResponse response) {
    this.sessions = sessions;
    this.cookie = cookie;
    this.events = events;
    this.request = request;
    this.response = response;
    this.requestedIds = cookie.idsOf(request);
  }

  Optional<String> requestedId() {
    return requestedIds.stream().findFirst();
  }

  synchronized boolean isRequestedValid() {
    lookUp();
    return isRequestedValid;
  }

  synchronized @Nullable SharedHttpSession get(boolean create) {
    lookUp();
    if (current != null && current.isEnded()) {
      current = null;
    }
    if (current == null && create) {
      if (response.isCommitted()) {
        throw new IllegalStateException(
            "no session can begin once the response has been sent: its client would not learn it");
      }
      current = events.view(sessions.create(), true);
    }
    return current;
  }

  private void lookUp() {
    if (isLookedUp) {
      return;
    }
    isLookedUp = true;
    for (String id : requestedIds) {
      Session found = sessions.find(id).orElse(null);
      if (found != null) {
        current = events.view(found, false);
        found.accessed(Instant.now());
        toldId = Optional.of(id);
        isRequestedValid = true;
        return;
      }
    }
  }

  synchronized String changeId() {
    SharedHttpSession session = get(false);
    if (session == null) {
      throw new IllegalStateException("the request has no session whose id could change");
    }
    if (response.isCommitted()) {
      throw new IllegalStateException(
          "no id can change once the response has been sent: its client would not learn it");
    }
    return session.changeId();
  }

  /** Before the response goes out: what its client is told has been saved. */
  synchronized void save() {
    SharedHttpSession session = current;
    if (session == null) {
      return;
    }
    if (session.isEnded() || !session.shared().save()) {
      if (toldId.isPresent()) {
        response.addCookie(cookie.gone(request, cookie.name()));
        response.addCookie(cookie.gone(request, cookie.seenName()));
        toldId = Optional.empty();
      }
      return;
    }
    String id = session.shared().id();
    if (!toldId.equals(Optional.of(id))) {
      response.addCookie(cookie.ofId(request, id));
      toldId = Optional.of(id);
    }
    new SeenByClient(sessions, cookie).tell(request, response);
  }

  /** What came after the response, too. */
  synchronized void saveAtEnd() {
    if (!response.isCommitted()) {
      save();
    } else if (current != null && !current.isEnded()) {
      current.shared().save();
    }
  }
}
