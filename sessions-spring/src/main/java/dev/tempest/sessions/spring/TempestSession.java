package dev.tempest.sessions.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.session.Session;

/**
 * A session as one request sees it; see {@link dev.tempest.sessions.Session}. An attribute whose
 * class this process lacks reads as null, and stays for processes that have the class.
 *
 * <p>Thread-safe, for a request that uses several threads.
 */
public final class TempestSession implements Session {
  /** As Spring Session says never. */
  private static final Duration NEVER = Duration.ofSeconds(-1);

  private final TempestSessionRepository repository;
  private final dev.tempest.sessions.Session session;

  /** Whether attributes were written since it was saved: what indexes are made of may be there. */
  private final AtomicBoolean isWritten = new AtomicBoolean();

  TempestSession(TempestSessionRepository repository, dev.tempest.sessions.Session session) {
    this.repository = repository;
    this.session = session;
  }

  @Override
  public String getId() {
    return session.id();
  }

  @Override
  public String changeSessionId() {
    String id = session.changeId();
    repository.renamed(this);
    return id;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Whoever asks knows the class.
  public <T> @Nullable T getAttribute(String name) {
    return (T) session.get(name);
  }

  @Override
  public Set<String> getAttributeNames() {
    return session.names();
  }

  /**
   * Sets an attribute, or removes it.
   *
   * @param value null to remove it
   * @throws IllegalArgumentException if the value cannot be encoded, or is too large
   */
  @Override
  public void setAttribute(String name, @Nullable Object value) {
    if (value == null) {
      removeAttribute(name);
      return;
    }
    session.set(name, value);
    written();
    repository.changed(this);
  }

  @Override
  public void removeAttribute(String name) {
    session.remove(name);
    written();
    repository.changed(this);
  }

  @Override
  public Instant getCreationTime() {
    return session.created();
  }

  @Override
  public void setLastAccessedTime(Instant when) {
    session.accessed(when);
    repository.changed(this);
  }

  @Override
  public Instant getLastAccessedTime() {
    return session.accessed();
  }

  /**
   * Changes after how long without a request it ends.
   *
   * @param time zero or less for never
   */
  @Override
  public void setMaxInactiveInterval(Duration time) {
    session.maxInactive(time.isNegative() ? Duration.ZERO : time);
    repository.changed(this);
  }

  @Override
  public Duration getMaxInactiveInterval() {
    Duration time = session.maxInactive();
    return time.isZero() ? NEVER : time;
  }

  /** {@inheritDoc} By its own clock; one that has ended is found no more. */
  @Override
  public boolean isExpired() {
    Duration time = session.maxInactive();
    return !time.isZero() && !Instant.now().isBefore(session.accessed().plus(time));
  }

  dev.tempest.sessions.Session session() {
    return session;
  }

  void written() {
    isWritten.set(true);
  }

  boolean takeIsWritten() {
    return isWritten.getAndSet(false);
  }

  /** For people: the id is a secret. */
  @Override
  public String toString() {
    return session.toString();
  }
}
