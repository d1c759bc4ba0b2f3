package dev.tempest.jcache;

import java.util.Objects;
import javax.cache.processor.MutableEntry;
import org.jspecify.annotations.Nullable;

/**
 * What one operation makes of one entry, before it counts. Operations of a cache and entry
 * processors of users work on it alike. Not thread-safe.
 */
final class Draft<K, V> implements MutableEntry<K, V> {
  /** What has become of the entry. */
  enum Effect {
    NONE,
    READ,
    CREATED,
    UPDATED,
    REMOVED
  }

  private final K key;
  private final @Nullable Object before;
  private final Entries<K, V> entries;
  private Effect effect = Effect.NONE;
  private boolean isLoaded;
  private @Nullable V after;

  /**
   * Of an entry.
   *
   * @param before what is stored; null if there is none
   */
  Draft(K key, @Nullable Object before, Entries<K, V> entries) {
    this.key = key;
    this.before = before;
    this.entries = entries;
  }

  @Nullable Object before() {
    return before;
  }

  Effect effect() {
    return effect;
  }

  /** Whether the new value is that of the loader, so that no writer needs it. */
  boolean isLoaded() {
    return isLoaded;
  }

  /** The new value of what is created or updated. */
  V after() {
    return Objects.requireNonNull(after);
  }

  /** The value, without the loader. */
  @Nullable V present() {
    if (effect == Effect.CREATED || effect == Effect.UPDATED) {
      return after;
    }
    if (before == null || effect == Effect.REMOVED) {
      return null;
    }
    if (effect == Effect.NONE) {
      effect = Effect.READ;
    }
    return entries.valueOf(before);
  }

  /** Sets what the loader gave, if there is nothing; what is there then. */
  V load(V value, boolean replaces) {
    V present = replaces ? null : present();
    if (present != null) {
      return present;
    }
    setValue(value);
    isLoaded = true;
    return value;
  }

  @Nullable V getAndSet(V value) {
    V old = present();
    setValue(value);
    return old;
  }

  boolean setIfAbsent(V value) {
    boolean isAbsent = !exists();
    if (isAbsent) {
      setValue(value);
    }
    return isAbsent;
  }

  boolean replace(V value) {
    boolean isThere = exists();
    if (isThere) {
      setValue(value);
    }
    return isThere;
  }

  boolean replaceIf(V expected, V value) {
    boolean isSame = expected.equals(present());
    if (isSame) {
      setValue(value);
    }
    return isSame;
  }

  @Nullable V getAndReplace(V value) {
    V old = present();
    if (old != null) {
      setValue(value);
    }
    return old;
  }

  boolean removeIf(V expected) {
    boolean isSame = expected.equals(present());
    if (isSame) {
      remove();
    }
    return isSame;
  }

  @Nullable V getAndRemove() {
    V old = present();
    remove();
    return old;
  }

  /** Whether it was there. */
  boolean removeAny() {
    boolean isThere = exists();
    remove();
    return isThere;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public boolean exists() {
    return effect == Effect.CREATED
        || effect == Effect.UPDATED
        || (before != null && effect != Effect.REMOVED);
  }

  @Override
  public @Nullable V getValue() {
    V present = present();
    V loaded = present == null && effect == Effect.NONE ? entries.loadThrough(key) : null;
    return loaded == null ? present : load(loaded, true);
  }

  @Override
  public void setValue(V value) {
    Objects.requireNonNull(value);
    after = value;
    effect = before == null ? Effect.CREATED : Effect.UPDATED;
    isLoaded = false;
  }

  @Override
  public void remove() {
    effect = effect == Effect.CREATED ? Effect.NONE : Effect.REMOVED;
    after = null;
    isLoaded = false;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return Unwrapping.as(type, this);
  }
}
