package dev.tempest.sessions.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.session.Session;

/** A session as a resolver of indexes sees it; notes whether it missed what is there. */
final class ReadableAttributes implements Session {
  private final TempestSession session;
  private boolean hasMissed;

  ReadableAttributes(TempestSession session) {
    this.session = session;
  }

  /** Whether an attribute was asked for that this process cannot read. */
  boolean hasMissed() {
    return hasMissed;
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // As the interface has it.
  public <T> @Nullable T getAttribute(String name) {
    T value = session.getAttribute(name);
    if (value == null && session.getAttributeNames().contains(name)) {
      hasMissed = true;
    }
    return value;
  }

  @Override
  public Set<String> getAttributeNames() {
    return session.getAttributeNames();
  }

  @Override
  public String getId() {
    return session.getId();
  }

  @Override
  public Instant getCreationTime() {
    return session.getCreationTime();
  }

  @Override
  public Instant getLastAccessedTime() {
    return session.getLastAccessedTime();
  }

  @Override
  public Duration getMaxInactiveInterval() {
    return session.getMaxInactiveInterval();
  }

  @Override
  public boolean isExpired() {
    return session.isExpired();
  }

  @Override
  public String changeSessionId() {
    throw readOnly();
  }

  @Override
  public void setAttribute(String name, Object value) {
    throw readOnly();
  }

  @Override
  public void removeAttribute(String name) {
    throw readOnly();
  }

  @Override
  public void setLastAccessedTime(Instant when) {
    throw readOnly();
  }

  @Override
  public void setMaxInactiveInterval(Duration time) {
    throw readOnly();
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("a resolver of indexes reads a session, and no more");
  }
}
