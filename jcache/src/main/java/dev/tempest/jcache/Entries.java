package dev.tempest.jcache;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import javax.cache.CacheException;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a cache. An operation reads what is stored, works out what to make of it, asks the
 * writer, and writes if the entry is still as it was; else it begins again. So it is atomic for its
 * key among all threads of this process, and among all nodes where the collection is linearizable.
 * No user code runs under a lock of the node, and reads wait for nobody unless they load.
 *
 * <p>JCache has the writer asked first. Where the entry has changed by then, the writer has what is
 * not stored; if the operation does not go on to write, the writer is told what is stored.
 *
 * <p>Thread-safe.
 */
final class Entries<K, V> {
  private final Storage storage;
  private final Codec codec;
  private final CompleteConfiguration<K, V> configuration;
  private final Expiry expiry;
  private final Integration<K, V> integration;
  private final Listeners<K, V> listeners;
  private final Statistics statistics;
  private final KeyLocks locks = new KeyLocks();

  Entries(
      Storage storage,
      Codec codec,
      CompleteConfiguration<K, V> configuration,
      Expiry expiry,
      Integration<K, V> integration,
      Listeners<K, V> listeners,
      Statistics statistics) {
    this.storage = storage;
    this.codec = codec;
    this.configuration = configuration;
    this.expiry = expiry;
    this.integration = integration;
    this.listeners = listeners;
    this.statistics = statistics;
  }

  /** How an operation is seen by others. */
  enum Manner {
    /** It looks at the entry, and counts as a hit or a miss. */
    LOOKING,
    /** It only writes. */
    WRITING,
    /** One of many, which only writes; there was room for it, and the writer knows already. */
    WRITTEN
  }

  /** Does one operation on one key. */
  <R extends @Nullable Object> R run(K key, Manner manner, Function<Draft<K, V>, R> operation) {
    Object storedKey = storedKey(key);
    if (manner != Manner.WRITTEN) {
      awaitRoom(); // Here it delays nobody but its caller.
    }
    return locks.alone(storedKey, () -> repeat(key, storedKey, manner, operation));
  }

  /**
   * Waits until asynchronous listeners can be told of what an operation does.
   *
   * @throws CacheException if that takes too long
   */
  void awaitRoom() {
    listeners.awaitRoom();
  }

  /** The value; the loader is asked for it once, however many threads want it. */
  @Nullable V get(K key) {
    boolean mayLoad = configuration.isReadThrough() && !contains(key);
    return mayLoad
        ? run(key, Manner.LOOKING, Draft::getValue)
        : repeat(key, storedKey(key), Manner.LOOKING, Draft::getValue);
  }

  /** The value, without the loader. */
  @Nullable V present(K key) {
    return repeat(key, storedKey(key), Manner.LOOKING, Draft::present);
  }

  /** Until nobody else has changed the entry meanwhile. */
  private <R extends @Nullable Object> R repeat(
      K key, Object storedKey, Manner manner, Function<Draft<K, V>, R> operation) {
    long startNanos = System.nanoTime();
    boolean isWrittenInVain = false;
    try {
      while (isInTime(startNanos)) {
        Draft<K, V> draft = new Draft<>(key, storage.get(storedKey), this);
        R result = operation.apply(draft);
        Object after = after(draft);
        boolean isWritten = manner != Manner.WRITTEN && writeThrough(draft);
        isWrittenInVain |= isWritten;
        if (commit(storedKey, draft, after)) {
          isWrittenInVain &= !isWritten;
          tell(draft, after, manner, startNanos);
          return result;
        }
      }
      throw new CacheException("Others keep writing to this key; the cache is as they left it");
    } finally {
      if (isWrittenInVain) {
        writeWhatIsStored(key, storedKey);
      }
    }
  }

  private static boolean isInTime(long startNanos) {
    return System.nanoTime() - startNanos < KeyLocks.WAIT_MAX.toNanos();
  }

  /**
   * Tells the writer what others have stored. Of an entry that is gone it is told nothing: it may
   * have expired, and is no less in the database.
   */
  private void writeWhatIsStored(K key, Object storedKey) {
    long startNanos = System.nanoTime();
    Object stored;
    do {
      stored = storage.get(storedKey);
      if (stored == null) {
        return;
      }
      integration.write(new CacheEntry<>(key, valueOf(stored)));
    } while (!storage.has(storedKey, stored) && isInTime(startNanos));
  }

  void put(K key, V value, Manner manner) {
    run(
        key,
        manner,
        draft -> {
          draft.setValue(value);
          return true;
        });
  }

  /** Whether it was there. */
  boolean remove(K key, Manner manner) {
    return run(key, manner, Draft::removeAny);
  }

  /** What the loader gave; what is stored then. */
  V load(K key, V value, boolean replaces) {
    return run(key, Manner.WRITTEN, draft -> draft.load(value, replaces));
  }

  boolean contains(K key) {
    return storage.contains(storedKey(key));
  }

  void clear() {
    storage.clear();
  }

  /** The entries that are there now. To go to the next one reads it. */
  Iterator<CacheEntry<K, V>> all() {
    Iterator<Map.Entry<Object, Object>> stored = storage.entries();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return stored.hasNext();
      }

      @Override
      public CacheEntry<K, V> next() {
        long startNanos = System.nanoTime();
        Map.Entry<Object, Object> next = stored.next();
        Draft<K, V> draft = new Draft<>(keyOf(next.getKey()), next.getValue(), Entries.this);
        V value = Objects.requireNonNull(draft.present());
        Object after = after(draft);
        if (commit(next.getKey(), draft, after)) { // Else it has changed meanwhile.
          tell(draft, after, Manner.LOOKING, startNanos);
        }
        return new CacheEntry<>(draft.getKey(), value);
      }
    };
  }

  /** The keys that are there now. */
  Set<K> keys() {
    Set<K> keys = new LinkedHashSet<>();
    storage.keys().forEach(each -> keys.add(keyOf(each)));
    return keys;
  }

  @SuppressWarnings("unchecked") // Stored by this cache, or one with the same types.
  K keyOf(Object stored) {
    return (K) codec.key(stored);
  }

  @SuppressWarnings("unchecked") // As in keyOf.
  V valueOf(Object stored) {
    return (V) codec.value(Stored.value(stored));
  }

  @Nullable V loadThrough(K key) {
    return configuration.isReadThrough() ? integration.load(key) : null;
  }

  private Object storedKey(K key) {
    require(configuration.getKeyType(), Objects.requireNonNull(key, "key"));
    return codec.storedKey(key);
  }

  private Object storedValue(V value) {
    require(configuration.getValueType(), value);
    return codec.storedValue(value);
  }

  private static void require(Class<?> declared, Object given) {
    if (!declared.isInstance(given)) {
      throw new ClassCastException(
          "the cache is of %s, not of %s"
              .formatted(declared.getName(), given.getClass().getName()));
    }
  }

  /** Whether it counts: the entry was still as the draft found it. */
  private boolean commit(Object storedKey, Draft<K, V> draft, @Nullable Object after) {
    Object before = draft.before();
    boolean isRead = draft.effect() == Draft.Effect.READ && isSameTime(before, after);
    boolean isWrite = !isRead && draft.effect() != Draft.Effect.NONE;
    boolean isNothing = before == null && after == null;
    return !isWrite || isNothing || storage.swap(storedKey, before, after);
  }

  /** Has what counts counted, and tells the listeners. */
  private void tell(Draft<K, V> draft, @Nullable Object after, Manner manner, long startNanos) {
    Object before = draft.before();
    EventType event = event(draft.effect(), before, after);
    statistics.count(before != null, manner == Manner.LOOKING, draft, event, startNanos);
    if (event != null) {
      listeners.dispatch(event, draft.getKey(), before, after);
    }
  }

  /** Whether what was only read expires when it did before. */
  private static boolean isSameTime(@Nullable Object before, @Nullable Object after) {
    return before != null
        && after != null
        && Stored.expiresAtMillis(before) == Stored.expiresAtMillis(after);
  }

  /** What is to be stored; null for nothing. */
  private @Nullable Object after(Draft<K, V> draft) {
    Object before = draft.before();
    long until = before == null ? Stored.NEVER : Stored.expiresAtMillis(before);
    return switch (draft.effect()) {
      case NONE -> before;
      case REMOVED -> null;
      case READ -> {
        long expires = expiry.afterAccess(until);
        yield before == null || Expiry.isOver(expires)
            ? null
            : Stored.of(Stored.value(before), expires);
      }
      case CREATED -> stored(draft.after(), expiry.afterCreation());
      case UPDATED -> stored(draft.after(), expiry.afterUpdate(until));
    };
  }

  private @Nullable Object stored(V value, long expiresAtMillis) {
    Object stored = storedValue(value); // Refused, even if it is over at once.
    return Expiry.isOver(expiresAtMillis) ? null : Stored.of(stored, expiresAtMillis);
  }

  /** Whether the writer was asked. */
  private boolean writeThrough(Draft<K, V> draft) {
    if (!configuration.isWriteThrough() || draft.isLoaded()) {
      return false;
    }
    switch (draft.effect()) {
      case CREATED, UPDATED -> integration.write(new CacheEntry<>(draft.getKey(), draft.after()));
      case REMOVED -> integration.delete(draft.getKey());
      case NONE, READ -> {
        return false;
      }
    }
    return true;
  }

  private static @Nullable EventType event(
      Draft.Effect effect, @Nullable Object before, @Nullable Object after) {
    return switch (effect) {
      case NONE -> null;
      case READ -> after == null ? EventType.EXPIRED : null;
      case CREATED -> after == null ? null : EventType.CREATED;
      case UPDATED -> after == null ? EventType.EXPIRED : EventType.UPDATED;
      case REMOVED -> before == null ? null : EventType.REMOVED;
    };
  }
}
