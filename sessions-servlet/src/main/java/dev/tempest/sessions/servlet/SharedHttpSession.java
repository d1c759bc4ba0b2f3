package dev.tempest.sessions.servlet;

import dev.tempest.MissingAcksException;
import dev.tempest.sessions.Session;
import dev.tempest.sessions.Unwritten;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/** A shared session, as servlets know sessions. */
final class SharedHttpSession implements HttpSession {
  /** Hears how the end of a session went, also if the application catches that. */
  interface Ending {
    /** It was not written as configured. */
    void failed(RuntimeException why);

    /** Another try has succeeded. */
    default void mended(RuntimeException before) {}
  }

  private final Session shared;
  private final SessionEvents events;
  private final boolean isNew;
  private final Ending ending;
  private final long previousMillis;
  private volatile boolean isEnded;

  /** Values that hear of the end may end it, too. */
  private volatile boolean isUnbinding;

  private volatile boolean isChanged;
  private volatile @Nullable RuntimeException endFailure;

  /** One that tells listeners. */
  SharedHttpSession(Session shared, SessionEvents events, boolean isNew, Ending ending) {
    this.shared = shared;
    this.events = events;
    this.isNew = isNew;
    this.ending = ending;
    this.previousMillis = shared.accessed().toEpochMilli();
  }

  boolean isEnded() {
    return isEnded;
  }

  /** Since it was saved; but for values that have changed in place. */
  boolean isChanged() {
    return isChanged;
  }

  /** As {@link Session#save} does. One that is about to end before it was saved is not. */
  boolean save() {
    if (isUnbinding) {
      return false;
    }
    isChanged = false; // First: what another thread changes meanwhile may come too late.
    return shared.save();
  }

  /** Without a word to listeners. */
  String changeId() {
    requireNotEnded();
    isChanged = true;
    return shared.changeId();
  }

  private void requireNotEnded() {
    if (isEnded) {
      throw new IllegalStateException("this session has been invalidated");
    }
  }

  @Override
  public long getCreationTime() {
    requireNotEnded();
    return shared.created().toEpochMilli();
  }

  @Override
  public String getId() {
    return shared.id();
  }

  @Override
  public long getLastAccessedTime() {
    requireNotEnded();
    return previousMillis;
  }

  @Override
  public ServletContext getServletContext() {
    return events.context();
  }

  /** {@inheritDoc} Fractions of a second count as one. */
  @Override
  public int getMaxInactiveInterval() {
    Duration time = shared.maxInactive();
    long seconds = time.plusNanos(999_999_999).toSeconds();
    return (int) Math.min(seconds, Integer.MAX_VALUE);
  }

  @Override
  public void setMaxInactiveInterval(int seconds) {
    isChanged = true;
    shared.maxInactive(Duration.ofSeconds(Math.max(seconds, 0)));
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    requireNotEnded();
    return shared.get(name);
  }

  @Override
  public Enumeration<String> getAttributeNames() {
    requireNotEnded();
    return Collections.enumeration(shared.names());
  }

  @Override
  public void setAttribute(String name, @Nullable Object value) {
    requireNotEnded();
    if (value == null) {
      removeAttribute(name);
      return;
    }
    Object before = shared.get(name);
    shared.set(name, value);
    isChanged = true;
    events.attributeSet(this, name, before, value);
  }

  @Override
  public void removeAttribute(String name) {
    requireNotEnded();
    Object before = shared.get(name);
    shared.remove(name);
    isChanged = true;
    if (before != null) {
      events.attributeRemoved(this, name, before);
    }
  }

  @Override
  public void invalidate() {
    requireNotEnded();
    if (isUnbinding) {
      return;
    }
    isChanged = true;
    if (shared.isNew()) {
      isUnbinding = true;
      events.unbind(this, shared);
    } else {
      endForAll();
    }
    isEnded = true;
  }

  private void endForAll() {
    try {
      shared.invalidate();
    } catch (RuntimeException failed) {
      if (failed instanceof MissingAcksException) {
        isEnded = true; // After any other failure it lives on, as far as is known.
      }
      if (Unwritten.is(failed)) {
        endFailure = failed;
        ending.failed(failed);
      }
      throw failed;
    }
    RuntimeException before = endFailure;
    if (before != null) {
      ending.mended(before);
    }
  }

  @Override
  public boolean isNew() {
    requireNotEnded();
    return isNew;
  }
}
