package dev.tempest.sessions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to no session: what a request saved while its session ended elsewhere, and the id,
 * or the value of an index, that lost against another one.
 */
final class Orphans {
  private static final System.Logger LOGGER = System.getLogger(Orphans.class.getName());

  /** Writes what belongs together. */
  interface Change {
    /** Makes what it is given one change, and answers what that does. */
    boolean write(Supplier<Boolean> removing);
  }

  private final SessionStore store;
  private final SessionCollections all;
  private final Change change;

  /** Those that are in the collections of a store. */
  Orphans(SessionStore store, SessionCollections all, Change change) {
    this.store = store;
    this.all = all;
    this.change = change;
  }

  /**
   * Removes what belonged to nobody before as well: of a session that another process begins, the
   * origin may arrive last. One that fails keeps no other from that, unless nothing can be written:
   * then each would wait as long, and the sessions that expire meanwhile with it.
   *
   * @return what belongs to nobody, and did not before; and what could not be removed, for the next
   *     time
   */
  Set<Object> remove(Set<?> before) {
    Set<Object> left = seeming();
    Set<Object> due = new HashSet<>(left);
    due.retainAll(before);
    int failures = 0;
    Throwable first = null;
    for (Object each : due) {
      try {
        removeAll(each);
        left.remove(each);
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failed) {
        failures++;
        first = first == null ? failed : first;
        if (Unwritten.is(failed)) {
          break;
        }
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
        "%,d leftovers of sessions could not be removed; the next sweep tries again"
            .formatted(failures),
        first);
  }

  private void removeAll(Object orphan) {
    boolean hasMore;
    do {
      hasMore = change.write(() -> isOne(orphan) && !removePart(orphan));
    } while (hasMore);
  }

  /** From copies, which are not of one moment: each single read may ask other processes. */
  private Set<Object> seeming() {
    Map<UUID, Origin> began = new HashMap<>(all.origins());
    Map<UUID, String> laterIds = new HashMap<>();
    Set<IndexKey> current = new HashSet<>();
    Set<Object> found = new HashSet<>();
    for (var each : all.attributes().entrySet()) {
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
    found.addAll(all.touches().keySet());
    found.removeAll(began.keySet());
    for (IndexKey each : all.indexes()) {
      if (!current.contains(each)) {
        found.add(each);
      }
    }
    for (var each : all.ids().entrySet()) {
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
    UUID key = all.ids().get(id);
    return key != null && store.head(key, id) != null;
  }

  /** Whether that was all of it. */
  private boolean removePart(Object orphan) {
    switch (orphan) {
      case UUID key -> {
        all.touches().remove(key);
        return store.removeAttributes(key);
      }
      case IndexKey key -> all.indexes().remove(key);
      default -> all.ids().remove((String) orphan);
    }
    return true;
  }
}
