package dev.tempest.sessions.tomcat;

import dev.tempest.sessions.Session;
import dev.tempest.sessions.tomcat.ReplicatedAttributes.Stored;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.catalina.authenticator.Constants;
import org.apache.catalina.session.StandardSession;
import org.apache.tomcat.util.ExceptionUtils;
import org.jspecify.annotations.Nullable;

/**
 * A session as this Tomcat has it: one object while it lives, whichever Tomcats answer its
 * requests. Attributes, and when it ends, are replicated; notes stay here, as Tomcat's own do.
 */
final class TempestSession extends StandardSession {
  private static final long serialVersionUID = 1;

  /** What a login in a form needs between its requests. */
  private static final Set<String> NOTES_OF_LOGIN =
      Set.of(Constants.SESSION_ID_NOTE, Constants.FORM_REQUEST_NOTE);

  private static final String PRINCIPAL = "principal";
  private static final String AUTH_TYPE = "auth-type";
  private static final Duration LONGEST = Duration.ofSeconds(Integer.MAX_VALUE);

  private final transient TempestManager owner;
  private final transient ReplicatedAttributes replicated;

  /** Requests that use it now. */
  private final transient AtomicInteger requests = new AtomicInteger();

  /** Whether it has ended: as only one thread finds, or tells. */
  private final transient AtomicBoolean over = new AtomicBoolean();

  /** Whether a request that went on after its thread may have changed what it read. */
  private transient volatile boolean mayHaveChanged;

  TempestSession(TempestManager owner, Session view, String id) {
    super(owner);
    this.owner = owner;
    this.id = id;
    replicated = new ReplicatedAttributes(this, view);
    attributes = replicated;
    setCreationTime(view.created().toEpochMilli());
    lastAccessedTime = view.accessed().toEpochMilli();
    thisAccessedTime = lastAccessedTime;
    isValid = true;
  }

  Session view() {
    return replicated.view();
  }

  HttpSessionEvent event() {
    return new HttpSessionEvent(getSession());
  }

  boolean isIdle() {
    return requests.get() <= 0;
  }

  boolean isExcluded(String name, Object value) {
    return exclude(name, value);
  }

  /** Another request has found it: sees what others have saved since. */
  void found(Session latest) {
    replicated.see(latest, !isIdle());
    lastAccessedTime = Math.max(lastAccessedTime, latest.accessed().toEpochMilli());
  }

  @Override
  public void access() {
    requests.incrementAndGet();
    super.access();
    touch();
    Exchange.uses(this);
  }

  @Override
  public void endAccess() {
    requests.decrementAndGet();
    super.endAccess();
    if (mayHaveChanged) {
      saveChangedInPlace();
    }
    touch();
  }

  /** Says that it is in use, unless that has just been said. */
  private void touch() {
    if (isValid && !noting(() -> view().touch(Instant.now()))) {
      endedElsewhere();
    }
  }

  /** Where the configuration says that values change in place. */
  void saveChangedInPlace() {
    if (owner.savesOnlyWhatIsSet() || !isValid) {
      return;
    }
    mayHaveChanged = false;
    if (!noting(replicated::saveChangedInPlace)) {
      endedElsewhere();
    }
  }

  /** Unless this process is to tell of its end. */
  void endedElsewhere() {
    if (over.compareAndSet(false, true)) {
      owner.forget(this);
    }
  }

  /** Whether the caller is to {@link #end} it: until then nobody finds it invalid. */
  boolean claimEnd() {
    return over.compareAndSet(false, true);
  }

  /**
   * Allows for listeners of its end, who may write what nobody reads.
   *
   * @throws IllegalStateException if it has ended at another process
   */
  void requireWritten(boolean isSaved) {
    if (isSaved) {
      Exchange.uses(this);
    } else if (isValid && !expiring) {
      endedElsewhere();
      throw new IllegalStateException("the session has ended at another server");
    }
  }

  /** As {@link SessionFailures#noting} does. */
  <T> T noting(Supplier<T> work) {
    return owner.failures().noting(work);
  }

  /** Neither time nor this process alone decides: it is valid until it has ended in the cluster. */
  @Override
  public boolean isValid() {
    return isValid;
  }

  /** Ends it for all. The manager hears of it, and has {@link #end} tell the listeners. */
  @Override
  public void expire(boolean notify) {
    if (isValid && !expiring && !noting(view()::invalidate)) {
      endedElsewhere();
    }
  }

  /** It has ended, and this is the one process that tells the listeners. */
  void end(Session ended) {
    replicated.see(ended, false);
    super.expire(true);
  }

  /** Changes its id in the cluster, and answers which it is. */
  String changeId() {
    Session view = view();
    String id = view.changeId();
    requireWritten(noting(view::save));
    return id;
  }

  /** Zero or less for never. */
  @Override
  public int getMaxInactiveInterval() {
    Duration time = noting(view()::maxInactive);
    return (int) (time.compareTo(LONGEST) < 0 ? time : LONGEST).plusNanos(999_999_999).toSeconds();
  }

  @Override
  public void setMaxInactiveInterval(int seconds) {
    Session view = view();
    view.maxInactive(Duration.ofSeconds(Math.max(seconds, 0)));
    requireWritten(noting(view::save));
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    mayHaveChanged = true;
    return super.getAttribute(name);
  }

  @Override
  public void setAttribute(String name, @Nullable Object value, boolean notify) {
    if (name == null || value == null || !isValid) {
      super.setAttribute(name, value, notify);
      return;
    }
    if (!isAttributeDistributable(name, value) && !exclude(name, value)) {
      throw new IllegalArgumentException(
          "the attribute %s is a %s, which is not Serializable: other servers cannot have it"
              .formatted(name, value.getClass().getName()));
    }
    boolean isBound =
        notify && value instanceof HttpSessionBindingListener bound && tellBound(name, bound);
    Stored stored;
    try {
      stored = replicated.store(name, value);
    } catch (IllegalArgumentException | IllegalStateException refused) {
      if (isBound) {
        tellUnbound(name, value);
      }
      throw refused;
    }
    replicated.whileTomcatPuts(
        name,
        value,
        stored.before(),
        () -> super.setAttribute(name, value, notify),
        () -> ended(name, value, isBound, notify, stored));
  }

  /** The session has ended meanwhile, and its end has told what it had then. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the same listener.
  private void ended(String name, Object value, boolean isBound, boolean notify, Stored stored) {
    if (!stored.isStored()) {
      if (isBound) {
        tellUnbound(name, value);
      }
    } else if (notify && stored.before() != value) {
      tellUnbound(name, stored.before());
    }
  }

  /** As Tomcat does, but before it is put: it may change itself, and is encoded after that. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the same listener.
  private boolean tellBound(String name, HttpSessionBindingListener value) {
    if (replicated.get(name) == value && !owner.getNotifyBindingListenerOnUnchangedValue()) {
      return false;
    }
    telling(() -> value.valueBound(new HttpSessionBindingEvent(getSession(), name, value)));
    return true;
  }

  private void tellUnbound(String name, @Nullable Object value) {
    if (value instanceof HttpSessionBindingListener bound) {
      telling(() -> bound.valueUnbound(new HttpSessionBindingEvent(getSession(), name, value)));
    }
  }

  /** As Tomcat does. */
  private void telling(Runnable news) {
    try {
      news.run();
    } catch (Throwable failed) {
      ExceptionUtils.handleThrowable(failed);
      owner.getContext().getLogger().error(sm.getString("standardSession.bindingEvent"), failed);
    }
  }

  private boolean persistsLogin() {
    return owner.getPersistAuthentication();
  }

  @Override
  public @Nullable Principal getPrincipal() {
    return persistsLogin() ? (Principal) replicated.hidden(PRINCIPAL) : super.getPrincipal();
  }

  @Override
  public void setPrincipal(@Nullable Principal principal) {
    super.setPrincipal(principal);
    if (persistsLogin()) {
      replicated.hide(PRINCIPAL, principal);
    }
  }

  @Override
  public @Nullable String getAuthType() {
    return persistsLogin() ? (String) replicated.hidden(AUTH_TYPE) : super.getAuthType();
  }

  @Override
  public void setAuthType(@Nullable String authType) {
    super.setAuthType(authType);
    if (persistsLogin()) {
      replicated.hide(AUTH_TYPE, authType);
    }
  }

  private boolean isReplicatedNote(String name) {
    return persistsLogin() && NOTES_OF_LOGIN.contains(name);
  }

  @Override
  public @Nullable Object getNote(String name) {
    return isReplicatedNote(name) ? replicated.hidden(name) : super.getNote(name);
  }

  @Override
  public void setNote(String name, Object value) {
    if (isReplicatedNote(name)) {
      replicated.hide(name, value);
    } else {
      super.setNote(name, value);
    }
  }

  @Override
  public void removeNote(String name) {
    if (isReplicatedNote(name)) {
      replicated.hide(name, null);
    } else {
      super.removeNote(name);
    }
  }
}
