package dev.tempest.sessions;

import dev.tempest.MissingAcksException;
import dev.tempest.sessions.SessionStore.Changes;
import dev.tempest.sessions.SessionStore.Saved;
import dev.tempest.sessions.SessionStore.Touch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A session as one request sees it: what others have saved, and what this request has set itself.
 * {@link #save} makes that visible to all, attribute by attribute: of two requests that set
 * different ones at the same time nothing is lost; of two that set the same one the later one wins.
 *
 * <p>Thread-safe, for a request that uses several threads. Values are encoded and decoded, and
 * listeners told, without a lock of ours: what runs then may wait for locks of the application.
 */
public final class Session {
  private static final long LATEST_SECONDS = 253_402_300_799L; // The end of the year 9999.

  private final Sessions sessions;
  private final UUID key;
  private final long createdMillis;

  /** What it had when it ended; null while it has not, and is read as it is. */
  private final @Nullable Map<String, byte[]> last;

  private final Map<String, Held> held = new HashMap<>();

  /** What requests before this one had, and this one has not read yet. */
  private final Map<String, Held> earlier = new HashMap<>();

  private Unsaved unsaved;
  private @Nullable Sizes sizes; // Null until it matters.
  private long writes; // How often something was set or removed.
  private String id;
  private boolean hasNewId;
  private boolean isNew;
  private long savedMillis;
  private long accessedMillis;
  private @Nullable Duration newMaxInactive;

  Session(
      Sessions sessions,
      UUID key,
      Head head,
      long savedMillis,
      boolean isNew,
      @Nullable Map<String, byte[]> last) {
    this.sessions = sessions;
    this.key = key;
    this.id = head.id();
    this.createdMillis = head.createdMillis();
    this.savedMillis = savedMillis;
    this.accessedMillis = savedMillis;
    this.isNew = isNew;
    this.last = last;
    this.unsaved = new Unsaved(sessions);
  }

  /** The id by which clients name it. */
  public synchronized String id() {
    return id;
  }

  /** Whether this request has created it, and not saved yet. */
  public synchronized boolean isNew() {
    return isNew;
  }

  /** When it was created. */
  public Instant created() {
    return Instant.ofEpochMilli(createdMillis);
  }

  /** When the latest request was, to a second or as {@link SessionsConfig#touchEvery} says. */
  public synchronized Instant accessed() {
    return Instant.ofEpochMilli(accessedMillis);
  }

  /** Says when this request was, at most 1970 to 9999: its session lives from then on. */
  public synchronized void accessed(Instant when) {
    long seconds = Math.clamp(when.getEpochSecond(), 0, LATEST_SECONDS);
    accessedMillis = seconds * 1_000 + when.getNano() / 1_000_000;
  }

  /** After so long without a request it ends; zero for never. */
  public synchronized Duration maxInactive() {
    return newMaxInactive != null ? newMaxInactive : sessions.store().maxInactive(key);
  }

  /**
   * Changes after how long without a request it ends.
   *
   * @param time in milliseconds, rounded up; zero, and a hundred years and more, for never
   * @throws IllegalArgumentException if it is negative
   */
  public synchronized void maxInactive(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("a session ends after a time, or never: 0, not " + time);
    }
    newMaxInactive = SessionsConfig.life(time);
  }

  /** What it is known by for life, however often its id changes. No client can ask for it. */
  public UUID key() {
    return key;
  }

  /**
   * Takes over values that an earlier request has read or set: as long as their bytes are the same,
   * they are the same objects.
   *
   * @param before the same session, as that request sees it
   * @param isUnderWay whether that request goes on: what it has read may still change in place, and
   *     is saved with this one
   */
  public void reuseValuesOf(Session before, boolean isUnderWay) {
    Map<String, Held> values;
    Set<String> read;
    synchronized (before) { // Not within the other lock: another thread may have the two turned.
      values = new HashMap<>(before.earlier);
      values.putAll(before.held);
      read = isUnderWay ? Set.copyOf(before.held.keySet()) : Set.of();
    }
    if (!values.isEmpty()) {
      values.keySet().retainAll(names()); // Else what was removed would stay for good.
    }
    synchronized (this) {
      values.forEach(earlier::putIfAbsent);
      read.forEach(this::known);
    }
  }

  /**
   * The value of an attribute. It is the same object for all of the request.
   *
   * @return null if there is none, or none that can be read in this process: others may, and it
   *     stays
   */
  public @Nullable Object get(String name) {
    while (true) {
      byte[] bytes;
      long writesBefore;
      synchronized (this) {
        Held known = known(name);
        if (known != null) {
          return known.value;
        }
        bytes = unsaved.attributes.containsKey(name) ? null : stored(name);
        writesBefore = writes;
      }
      Object read = bytes == null ? null : sessions.decode(name, bytes);
      if (bytes == null || read == null) {
        return null;
      }
      Held decoded = new Held(read, bytes, sessions.encodedAgain(read, bytes));
      synchronized (this) {
        if (writes == writesBefore) { // Else it may be another one by now.
          Held quicker = held.putIfAbsent(name, decoded);
          return quicker == null ? read : quicker.value;
        }
      }
    }
  }

  /** What needs no decoding; null if it does, or is not there. */
  private @Nullable Held known(String name) {
    Held before = earlier.remove(name);
    if (before != null
        && !held.containsKey(name)
        && !unsaved.attributes.containsKey(name)
        && Arrays.equals(stored(name), before.bytes)) {
      held.put(name, before);
    }
    return held.get(name);
  }

  private byte @Nullable [] stored(String name) {
    return last == null ? sessions.store().attribute(key, name) : last.get(name);
  }

  /** The names of all attributes, sorted. */
  public synchronized Set<String> names() {
    return Changes.names(
        last == null ? sessions.store().names(key) : last.keySet(), unsaved.attributes);
  }

  /**
   * Sets an attribute.
   *
   * @throws SessionLimitException if that makes too many attributes, or too many bytes; or if the
   *     name has more than 1,024 characters
   * @throws IllegalArgumentException if the value cannot be encoded, or the name is empty or begins
   *     with a zero character or U+FFFF
   */
  public void set(String name, Object value) {
    EncodedAttribute encoded;
    do {
      encoded = encode(name, value);
    } while (!set(encoded));
  }

  /**
   * Does that of {@link #set(String, Object)} which may wait for locks of the application.
   *
   * @throws IllegalArgumentException if it cannot be encoded, or is too large; or for its name
   */
  public EncodedAttribute encode(String name, Object value) {
    sessions.requireName(name);
    byte[] before;
    synchronized (this) {
      before = encoding(name, value);
    }
    return new EncodedAttribute(name, value, sessions.encode(name, value), before);
  }

  /**
   * Sets an attribute, and runs nothing of the application.
   *
   * @return false, and nothing is set, if the same object was encoded meanwhile, and may have
   *     changed before: it has to be encoded again
   * @throws SessionLimitException if that makes too many attributes, or too many bytes
   */
  @SuppressWarnings("ReferenceEquality") // Whether it is the same encoding.
  public synchronized boolean set(EncodedAttribute encoded) {
    String name = encoded.name;
    byte[] bytes = encoded.bytes;
    if (encoding(name, encoded.value) != encoded.before) {
      return false;
    }
    Held before = held.get(name);
    if (before == null || before.bytes.length < bytes.length) { // Else this request adds nothing.
      sessions.requireRoom(name, bytes.length, sizes());
    }
    write(name, Optional.of(bytes));
    held.put(name, new Held(encoded.value, bytes, bytes));
    return true;
  }

  /** As that object was encoded last; null if it is another one's value, or nobody's. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the same object.
  private byte @Nullable [] encoding(String name, Object value) {
    Held latest = held.getOrDefault(name, earlier.get(name));
    return latest == null || latest.value != value ? null : latest.encoded;
  }

  private void write(String name, Optional<byte[]> bytes) {
    unsaved.put(name, bytes);
    writes++;
    if (sizes != null) {
      sizes.put(name, bytes);
    }
  }

  /** What others save meanwhile counts from the next time on that this request saves. */
  private Sizes sizes() {
    if (sizes == null) {
      Sizes found = Sizes.of(isNew ? Map.of() : sessions.store().attributes(key));
      unsaved.attributes.forEach(found::put);
      sizes = found;
    }
    return sizes;
  }

  /**
   * Removes an attribute. Does nothing for a name that none can have.
   *
   * @throws SessionLimitException if this request changes more than the 15 MiB that a save writes
   */
  public synchronized void remove(String name) {
    if (AttributeKey.isName(name)) {
      write(name, Optional.empty());
      held.remove(name);
      earlier.remove(name);
    }
  }

  /**
   * Makes it one of those that {@link Sessions#findByIndex} finds by this value.
   *
   * @param value null to be found no more
   * @throws SessionLimitException if the name of the index or the value has more than 1,024
   *     characters; or if this request changes more than the 15 MiB that a save writes
   */
  public synchronized void index(String index, @Nullable String value) {
    unsaved.putIndex(index, Optional.ofNullable(value));
  }

  /** The names of the indexes by which it is found, as this request leaves them; sorted. */
  public synchronized Set<String> indexes() {
    return Changes.names(sessions.store().indexes(key), unsaved.indexes);
  }

  /**
   * Gives it another id once it is saved, as when somebody has logged in. All else stays, also what
   * other requests are about to save.
   *
   * @return the id that it has from then on
   */
  public synchronized String changeId() {
    id = sessions.newId();
    hasNewId = true;
    return id;
  }

  /**
   * Saves what this request has changed, for all, and when it was. Waits for as many processes as
   * the configuration says.
   *
   * <p>A value that has changed in place may have become too large, or one that cannot be encoded.
   * All else is saved first, and of that value what was accepted last: as it was when it was set.
   *
   * @return false if it has ended meanwhile, and stays ended
   * @throws SessionLimitException if it is new, and there are too many: nothing was saved then; or
   *     if a value has become too large: all else was saved
   * @throws IllegalArgumentException if a value cannot be encoded any more: all else was saved
   * @throws MissingAcksException if fewer processes are known to have it in time: it is saved all
   *     the same, and there is nothing to repeat
   * @throws dev.tempest.OverloadedException if linearizable sessions cannot be written now
   * @throws dev.tempest.UnknownOutcomeException if it is not known whether they were written
   */
  public boolean save() {
    if (last != null) {
      return false;
    }
    Optional<RuntimeException> refused = noteChangedValues();
    boolean isAlive;
    try {
      isAlive = saveAsSet();
    } catch (MissingAcksException saved) {
      refused.ifPresent(saved::addSuppressed);
      throw saved;
    }
    if (isAlive && refused.isPresent()) {
      throw refused.get();
    }
    return isAlive;
  }

  /**
   * As {@link #save}, but each value as it was when it was set. Runs nothing of the application,
   * but for listeners if the session is new.
   */
  public boolean saveAsSet() {
    boolean begins;
    MissingAcksException missing = null;
    synchronized (this) {
      begins = isNew;
      Changes changes = changes();
      Saved saved = Saved.YES;
      try {
        if (begins) {
          sessions.create(key, new Head(id, createdMillis), changes);
        } else {
          saved = last == null ? sessions.store().save(key, changes) : Saved.ENDED;
        }
      } catch (MissingAcksException written) { // To save once more would undo what others do.
        missing = written;
      }
      if (saved == Saved.ENDED) {
        return false;
      }
      if (saved == Saved.YES && changes.touch().isPresent()) {
        savedMillis = accessedMillis;
      }
      isNew = false;
      hasNewId = false;
      newMaxInactive = null;
      unsaved = new Unsaved(sessions);
      sizes = null;
    }
    if (begins) {
      sessions.tellBegun(this);
    }
    boolean isAlive = !begins || save(); // What listeners set is saved as well.
    if (isAlive && missing != null) {
      throw missing;
    }
    return isAlive;
  }

  private Changes changes() {
    return new Changes(
        hasNewId && !isNew ? Optional.of(id) : Optional.empty(),
        unsaved.attributes,
        unsaved.indexes,
        Optional.ofNullable(newMaxInactive),
        isTouchDue() ? Optional.of(new Touch(savedMillis, accessedMillis)) : Optional.empty());
  }

  /**
   * Says when this request was, and saves that alone, unless it was said so shortly before that
   * {@link SessionsConfig#touchEvery} lets it be. Does no more than {@link #accessed(Instant)} for
   * a session that is new.
   *
   * @return false if it has ended meanwhile, as far as this has looked
   */
  public synchronized boolean touch(Instant when) {
    accessed(when);
    if (isNew || last != null || !isTouchDue()) {
      return last == null;
    }
    Saved saved = sessions.store().save(key, Changes.of(new Touch(savedMillis, accessedMillis)));
    if (saved == Saved.YES) {
      savedMillis = accessedMillis;
    }
    return saved != Saved.ENDED;
  }

  private boolean isTouchDue() {
    long everyMillis = Math.max(1, sessions.config().touchEvery().toMillis());
    long sinceMillis = Math.abs(accessedMillis - savedMillis);
    return isNew || newMaxInactive != null || sinceMillis >= everyMillis;
  }

  /**
   * A value that was set here may have changed since, in place; so may one that was read.
   *
   * @return why the first of those that cannot be saved as they are now cannot be
   */
  private Optional<RuntimeException> noteChangedValues() {
    SaveMode mode = sessions.config().saveMode();
    if (mode == SaveMode.ALWAYS) {
      names().forEach(this::get);
    }
    Map<String, Held> noted;
    synchronized (this) {
      noted = new HashMap<>(held);
      if (mode == SaveMode.ON_SET) {
        noted.keySet().retainAll(unsaved.attributes.keySet());
      }
    }
    List<RuntimeException> refused = new ArrayList<>();
    noted.forEach((name, each) -> {
      try {
        noteChangedValue(name, each, mode);
      } catch (RuntimeException now) {
        refused.add(now);
      }
    });
    return refused.stream().findFirst();
  }

  private void noteChangedValue(String name, Held each, SaveMode mode) {
    byte[] before;
    byte[] bytes;
    do {
      before = each.encoded;
      bytes = Immutables.isOne(each.value) ? each.bytes : sessions.encode(name, each.value);
    } while (!note(name, each, before, bytes, mode));
  }

  /** False if another thread has encoded it meanwhile, maybe in a later state. */
  @SuppressWarnings("ReferenceEquality") // Whether it is the same encoding.
  private synchronized boolean note(
      String name, Held each, byte[] before, byte[] bytes, SaveMode mode) {
    if (held.get(name) != each) {
      return true; // It has been set or removed.
    }
    if (each.encoded != before) {
      return false;
    }
    boolean isChanged = mode == SaveMode.ON_GET && !Arrays.equals(bytes, before);
    if (isChanged || mode == SaveMode.ALWAYS || unsaved.attributes.containsKey(name)) {
      if (each.bytes.length < bytes.length) {
        sessions.requireRoom(name, bytes.length, sizes());
      }
      write(name, Optional.of(bytes));
      each.bytes = bytes;
    }
    each.encoded = bytes;
    return true;
  }

  /**
   * Ends it for all.
   *
   * @return whether this call ended it: else another one has, or it had expired or was never saved
   * @throws MissingAcksException if fewer processes are known to have that in time; it has ended
   */
  public boolean invalidate() {
    return sessions.invalidate(key);
  }

  /** For people: the id is a secret. */
  @Override
  public String toString() {
    return "Session[of %s]".formatted(created());
  }
}
