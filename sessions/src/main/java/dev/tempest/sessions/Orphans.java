package dev.tempest.sessions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to no session: what a request saved while its session ended elsewhere, and the id,
 * or the value of an index, that lost against another one.
 */
final class Orphans {
  private static final System.Logger LOGGER = System.getLogger(Orphans.class.getName());

  private final SessionStore store;
  private final Predicate<Supplier<Boolean>> write;

  /**
   * Those of a store.
   *
   * @param write makes what it is given one change, and answers what that does
   */
  Orphans(SessionStore store, Predicate<Supplier<Boolean>> write) {
    this.store = store;
    this.write = write;
  }

  /**
   * Removes what belonged to nobody before as well: of a session that another process begins, the
   * origin may arrive last. One that cannot be removed keeps no other from that.
   *
   * @return what belongs to nobody, and did not before; and what could not be removed, for the next
   *     time
   */
  Set<Object> remove(Set<?> before) {
    Set<Object> left = new HashSet<>();
    int failures = 0;
    Throwable first = null;
    for (Object each : seeming()) {
      if (!before.contains(each)) {
        left.add(each);
        continue;
      }
      try {
        removeAll(each);
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failed) {
        left.add(each);
        failures++;
        first = first == null ? failed : first;
      }
    }
    if (first != null) {
      log(failures, first);
    }
    return left;
  }

  /** Once a sweep: while nothing can be written, each of them fails. */
  private static void log(int failures, Throwable first) {
    LOGGER.log(
        System.Logger.Level.WARNING,
        "What belongs to no session could not be removed, %,d times; the next sweep tries again"
            .formatted(failures),
        first);
  }

  private void removeAll(Object orphan) {
    boolean hasMore;
    do {
      hasMore = write.test(() -> isOne(orphan) && !removePart(orphan));
    } while (hasMore);
  }

  /** From copies, which are not of one moment: each single read may ask other processes. */
  private Set<Object> seeming() {
    Map<UUID, Origin> began = new HashMap<>(store.origins);
    Map<UUID, String> laterIds = new HashMap<>();
    Set<IndexKey> current = new HashSet<>();
    Set<Object> found = new HashSet<>();
    for (var each : store.attributes.entrySet()) {
      UUID key = each.getKey().session();
      String name = each.getKey().name();
      if (!began.containsKey(key)) {
        found.add(key);
      } else if (name.equals(AttributeKey.ID)) {
        laterIds.put(key, new String(each.getValue(), UTF_8));
      } else if (name.startsWith(AttributeKey.INDEX)) {
        String index = name.substring(AttributeKey.INDEX.length());
        current.add(new IndexKey(index, IndexKey.decoded(each.getValue()), key));
      }
    }
    found.addAll(store.touches.keySet());
    found.removeAll(began.keySet());
    for (IndexKey each : store.indexes) {
      if (!current.contains(each)) {
        found.add(each);
      }
    }
    for (var each : store.ids.entrySet()) {
      Origin origin = began.get(each.getValue());
      String later = laterIds.get(each.getValue());
      if (!isIdOf(origin, later, each.getKey())) {
        found.add(each.getKey());
      }
    }
    return found;
  }

  private static boolean isIdOf(@Nullable Origin origin, @Nullable String later, String id) {
    return origin != null && (id.equals(origin.id()) || id.equals(later));
  }

  private boolean isOne(Object each) {
    return switch (each) {
      case UUID key -> !store.contains(key);
      case IndexKey key -> !store.isCurrent(key);
      default -> !isCurrent((String) each);
    };
  }

  private boolean isCurrent(String id) {
    UUID key = store.ids.get(id);
    return key != null && store.head(key, id) != null;
  }

  /** Whether that was all of it. */
  private boolean removePart(Object orphan) {
    switch (orphan) {
      case UUID key -> {
        store.touches.remove(key);
        return store.removeAttributes(key);
      }
      case IndexKey key -> store.indexes.remove(key);
      default -> store.ids.remove((String) orphan);
    }
    return true;
  }
}
