package dev.tempest.sessions.servlet;

import dev.tempest.MissingAcksException;
import dev.tempest.sessions.Session;
import dev.tempest.sessions.Unwritten;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A shared session, as servlets know sessions. */
final class SharedHttpSession implements HttpSession {
  private final Session shared;
  private final SessionEvents events;
  private final boolean isNew;
  private final Consumer<RuntimeException> unwritten;
  private final long previousMillis;
  private volatile boolean isEnded;
  private volatile boolean isChanged;

  /**
   * One that tells listeners.
   *
   * @param unwritten hears why its end was not written as configured, also if the application
   *     catches that
   */
  SharedHttpSession(
      Session shared, SessionEvents events, boolean isNew, Consumer<RuntimeException> unwritten) {
    this.shared = shared;
    this.events = events;
    this.isNew = isNew;
    this.unwritten = unwritten;
    this.previousMillis = shared.accessed().toEpochMilli();
  }

  boolean isEnded() {
    return isEnded;
  }

  /** Since it was saved; but for values that have changed in place. */
  boolean isChanged() {
    return isChanged;
  }

  /** As {@link Session#save} does. */
  boolean save() {
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
    isChanged = true;
    if (!shared.isNew()) {
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
        unwritten.accept(failed);
      }
      throw failed;
    }
  }

  @Override
  public boolean isNew() {
    requireNotEnded();
    return isNew;
  }
}
