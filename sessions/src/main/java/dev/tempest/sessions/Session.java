package dev.tempest.sessions;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A session as one request sees it: what others have saved, and what this request has set itself.
 * {@link #save} makes that visible to all, attribute by attribute: of two requests that set
 * different ones at the same time nothing is lost; of two that set the same one the later one wins.
 *
 * <p>Thread-safe, for a request that uses several threads.
 */
public final class Session {
  private final Sessions sessions;
  private final boolean isNew;
  private final long touchedMillis;

  /** What this request has set, and with nothing what it has removed. */
  private final Map<String, Optional<byte[]>> written = new LinkedHashMap<>();

  /** What was read or set here, so that it stays the same object for all of the request. */
  private final Map<String, Object> objects = new LinkedHashMap<>();

  private String id;
  private Head head;

  Session(Sessions sessions, String id, Head head, long touchedMillis, boolean isNew) {
    this.sessions = sessions;
    this.id = id;
    this.head = head;
    this.touchedMillis = touchedMillis;
    this.isNew = isNew;
  }

  /** The id by which clients name it. */
  public synchronized String id() {
    return id;
  }

  /** Whether this request has created it. */
  public boolean isNew() {
    return isNew;
  }

  /** When it was created. */
  public Instant created() {
    return Instant.ofEpochMilli(head().createdMillis());
  }

  /** When the latest request before this one was. */
  public Instant lastAccessed() {
    return Instant.ofEpochMilli(touchedMillis);
  }

  /** After so long without a request it ends; zero for never. */
  public Duration maxInactive() {
    return head().maxInactive();
  }

  UUID key() {
    return head().key();
  }

  private synchronized Head head() {
    return head;
  }

  /**
   * The value of an attribute.
   *
   * @return null if there is none, or none that can be read in this process: others may, and it
   *     stays
   */
  public synchronized @Nullable Object get(String name) {
    Object known = objects.get(name);
    if (known != null || written.containsKey(name)) {
      return known;
    }
    Object read = sessions.read(key(), name);
    if (read != null) {
      objects.put(name, read);
    }
    return read;
  }

  /** The names of all attributes, sorted. */
  public synchronized Set<String> names() {
    Set<String> names = new TreeSet<>(sessions.names(key()));
    written.forEach((name, bytes) -> {
      if (bytes.isPresent()) {
        names.add(name);
      } else {
        names.remove(name);
      }
    });
    return names;
  }

  /**
   * Sets an attribute.
   *
   * @throws IllegalArgumentException if the value cannot be encoded, or takes too many bytes
   */
  public synchronized void set(String name, Object value) {
    written.put(name, Optional.of(sessions.encode(name, value)));
    objects.put(name, value);
  }

  /** Removes an attribute. */
  public synchronized void remove(String name) {
    written.put(name, Optional.empty());
    objects.remove(name);
  }

  /** What this request has changed is saved for all, and when it was. */
  public synchronized void save() {
    sessions.save(id, head, Map.copyOf(written));
    written.clear();
  }

  /**
   * Gives it another id, as when somebody has logged in. All else stays, also what other requests
   * are about to save.
   */
  public synchronized String changeId() {
    id = sessions.changeId(id, head);
    return id;
  }

  /**
   * Ends it for all.
   *
   * @return whether this call ended it: else another one has, or it had expired
   */
  public boolean invalidate() {
    return sessions.end(this, SessionEnd.INVALIDATED);
  }

  /** For people: the id is a secret. */
  @Override
  public String toString() {
    return "Session[of %s]".formatted(created());
  }
}
