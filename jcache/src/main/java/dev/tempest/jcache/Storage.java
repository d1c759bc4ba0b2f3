package dev.tempest.jcache;

import dev.tempest.Node;
import dev.tempest.Registration;
import dev.tempest.state.TimedMap;
import dev.tempest.values.UnsupportedTypeException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/** The collection of a cache. What it refuses is a {@link CacheException}. Thread-safe. */
final class Storage {
  private static final String PREFIX = "cache-";
  private static final Pattern PLAIN_NAME = Pattern.compile("[a-z0-9-]{1,58}");
  private static final int HASH_BYTES = 4;
  private static final int BEFORE_HASH_MAX = 49;

  private final String cache;
  private final Node node;
  private final TimedMap<Object, Object> map;
  private final Set<Class<?>> declared = new LinkedHashSet<>();

  /**
   * Declares the collection.
   *
   * @param types of keys and values: enums and records are stored as they are, if they can be
   */
  Storage(String cache, Node node, List<Class<?>> types) {
    this.cache = cache;
    this.node = node;
    TimedMap<Object, Object> found = declare();
    for (Class<?> each : types) {
      if (each.isEnum() || each.isRecord()) {
        found = declareAlso(each, found);
      }
    }
    this.map = found;
  }

  /** The name of the collection of a cache, which may be any text. */
  static String collectionOf(String cache) {
    if (PLAIN_NAME.matcher(cache).matches()) {
      return PREFIX + cache;
    }
    String plain = cache.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-");
    String start = plain.substring(0, Math.min(plain.length(), BEFORE_HASH_MAX));
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(cache.getBytes(StandardCharsets.UTF_8));
      return PREFIX + start + "-" + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // Every Java has it.
    }
  }

  private TimedMap<Object, Object> declare(Class<?>... further) {
    Class<?>[] within = new Class<?>[further.length + 2];
    within[0] = SerializedKey.class;
    within[1] = SerializedValue.class;
    System.arraycopy(further, 0, within, 2, further.length);
    return guarded(() -> node.map(collectionOf(cache), Object.class, Object.class, within));
  }

  private TimedMap<Object, Object> declareAlso(Class<?> type, TimedMap<Object, Object> otherwise) {
    try {
      TimedMap<Object, Object> also = declare(type);
      declared.add(type);
      return also;
    } catch (CacheException refused) {
      if (refused.getCause() instanceof UnsupportedTypeException) {
        return otherwise; // By Java's serialization, then.
      }
      throw refused;
    }
  }

  Node node() {
    return node;
  }

  /** The enums and records that are stored as they are. */
  Set<Class<?>> declared() {
    return declared;
  }

  @Nullable Object get(Object key) {
    return guarded(() -> map.get(key));
  }

  boolean contains(Object key) {
    return guarded(() -> map.containsKey(key));
  }

  /** All keys that are there now. */
  List<Object> keys() {
    return guarded(() -> new ArrayList<>(map.keySet()));
  }

  /** All entries that are there now. */
  Iterator<Map.Entry<Object, Object>> entries() {
    Iterator<Map.Entry<Object, Object>> entries = guarded(() -> map.entrySet().iterator());
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public Map.Entry<Object, Object> next() {
        return guarded(entries::next);
      }
    };
  }

  void clear() {
    guarded(() -> {
      map.clear();
      return this;
    });
  }

  /**
   * Writes, if what is there is still {@code before}.
   *
   * @param before null: nothing
   * @param after null: nothing
   * @return whether it was
   */
  boolean swap(Object key, @Nullable Object before, @Nullable Object after) {
    return guarded(() ->
        node.batch(() -> {
          boolean isSame = before == null ? !map.containsKey(key) : isThere(key, before);
          if (isSame) {
            write(key, after);
          }
          return isSame;
        }));
  }

  /** Whether this is what is there. */
  boolean has(Object key, Object stored) {
    return guarded(() -> isThere(key, stored));
  }

  /** By contents. */
  private boolean isThere(Object key, Object stored) {
    return map.entrySet().contains(Map.entry(key, stored));
  }

  private void write(Object key, @Nullable Object after) {
    if (after == null) {
      map.remove(key);
      return;
    }
    long expiresAtMillis = Stored.expiresAtMillis(after);
    if (expiresAtMillis == Stored.NEVER) {
      map.put(key, after);
    } else {
      long left = Math.max(1, expiresAtMillis - System.currentTimeMillis());
      map.put(key, after, Duration.ofMillis(left));
    }
  }

  /** Tells of entries that expire, here or elsewhere: their key, and what was stored. */
  Registration onExpired(BiConsumer<Object, Object> listener) {
    return node.listen(
        map,
        (key, before, after) -> {
          boolean isOver =
              before != null && Stored.expiresAtMillis(before) <= System.currentTimeMillis();
          if (after == null && before != null && isOver) {
            listener.accept(key, before);
          }
        });
  }

  private <T extends @Nullable Object> T guarded(Supplier<T> use) {
    try {
      return use.get();
    } catch (NoSuchElementException end) {
      throw end; // Of an iterator.
    } catch (RuntimeException failed) {
      throw new CacheException("Cache " + cache + ": " + failed.getMessage(), failed);
    }
  }
}
