package dev.tempest.sessions;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tempest.Node;
import dev.tempest.state.TimedMap;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The collections that hold the sessions. Each session has a key for life; whatever writes of two
 * requests must not lose each other has an entry of its own under it.
 */
final class SessionStore {
  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** A session that has not ended. */
  record Found(UUID key, Head head, long touchedMillis) {}

  /** What a request saves; a name with nothing is removed. */
  record Changes(
      Optional<String> newId,
      Map<String, Optional<byte[]>> attributes,
      Map<String, Optional<String>> indexes,
      Optional<Duration> maxInactive,
      Optional<Long> touchedMillis) {

    boolean isEmpty() {
      return isTouch() && touchedMillis.isEmpty();
    }

    /** At most that it is alive: no answer depends on who knows that. */
    boolean isTouch() {
      return newId.isEmpty() && attributes.isEmpty() && indexes.isEmpty() && maxInactive.isEmpty();
    }
  }

  private final Node node;
  private final SessionsConfig config;
  private final ConcurrentMap<String, UUID> ids;
  private final ConcurrentMap<UUID, Head> heads;
  private final TimedMap<UUID, Long> touches;
  private final ConcurrentNavigableMap<AttributeKey, byte[]> attributes;
  private final NavigableSet<IndexKey> indexes;

  SessionStore(Node node, SessionsConfig config) {
    this.node = node;
    this.config = config;
    String name = config.name();
    ids = node.map(name, String.class, UUID.class);
    heads = node.map(name + "-heads", UUID.class, Head.class);
    touches = node.map(name + "-touches", UUID.class, Long.class);
    attributes = node.sortedMap(name + "-attributes", AttributeKey.class, byte[].class);
    indexes = node.sortedSet(name + "-indexes", IndexKey.class);
  }

  /** The latest requests, by what sessions are known by; one that expires goes from here first. */
  TimedMap<UUID, Long> touches() {
    return touches;
  }

  Set<UUID> keys() {
    return heads.keySet();
  }

  int size() {
    return heads.size();
  }

  Optional<Found> find(String id) {
    UUID key = ids.get(id);
    return key == null ? Optional.empty() : find(key).filter(found -> found.head.id().equals(id));
  }

  Optional<Found> find(UUID key) {
    Head head = heads.get(key);
    Long touched = head == null ? null : touches.get(key);
    return head == null || touched == null
        ? Optional.empty()
        : Optional.of(new Found(key, head, touched));
  }

  /** Also of one that has expired and has not ended yet. */
  @Nullable Head head(UUID key) {
    return heads.get(key);
  }

  List<UUID> findByIndex(String index, String value) {
    List<UUID> found = new ArrayList<>();
    for (IndexKey each : indexes.tailSet(IndexKey.first(index, value))) {
      if (!each.isOf(index, value)) {
        break;
      }
      found.add(each.session());
    }
    return found;
  }

  byte @Nullable [] attribute(UUID key, String name) {
    return attributes.get(new AttributeKey(key, name));
  }

  /** What users have set, sorted by name. */
  NavigableMap<String, byte[]> attributes(UUID key) {
    NavigableMap<String, byte[]> found = new TreeMap<>();
    for (var each : attributes.tailMap(AttributeKey.first(key)).entrySet()) {
      if (!each.getKey().session().equals(key)) {
        break;
      }
      if (!each.getKey().isReserved()) {
        found.put(each.getKey().name(), each.getValue());
      }
    }
    return found;
  }

  List<String> names(UUID key) {
    List<String> found = new ArrayList<>();
    for (AttributeKey each : keysOf(key)) {
      if (!each.isReserved()) {
        found.add(each.name());
      }
    }
    return found;
  }

  List<String> indexes(UUID key) {
    List<String> found = new ArrayList<>();
    for (AttributeKey each : keysOf(key)) {
      if (each.name().startsWith(AttributeKey.INDEX)) {
        found.add(each.name().substring(AttributeKey.INDEX.length()));
      }
    }
    return found;
  }

  private List<AttributeKey> keysOf(UUID key) {
    List<AttributeKey> found = new ArrayList<>();
    for (AttributeKey each : attributes.tailMap(AttributeKey.first(key)).keySet()) {
      if (!each.session().equals(key)) {
        break;
      }
      found.add(each);
    }
    return found;
  }

  /** Zero for never. */
  Duration maxInactive(UUID key) {
    byte[] millis = attribute(key, AttributeKey.MAX_INACTIVE);
    return millis == null
        ? config.maxInactive()
        : Duration.ofMillis(ByteBuffer.wrap(millis).getLong());
  }

  void create(UUID key, Head head, Changes changes) {
    write(() -> {
      ids.put(head.id(), key);
      heads.put(key, head);
      change(key, changes);
      return true;
    });
  }

  /** Whether the session had not ended. */
  boolean save(UUID key, Changes changes) {
    if (changes.isEmpty()) {
      return heads.containsKey(key);
    }
    return write(
        changes.isTouch() ? 1 : config.acks(),
        () -> {
          Head head = heads.get(key);
          if (head == null) {
            return false;
          }
          changes.newId.ifPresent(id -> changeId(key, head, id));
          change(key, changes);
          return true;
        });
  }

  private void changeId(UUID key, Head head, String id) {
    ids.remove(head.id(), key);
    ids.put(id, key);
    heads.put(key, new Head(id, head.createdMillis()));
  }

  private void change(UUID key, Changes changes) {
    changes.attributes.forEach((name, bytes) -> set(key, name, bytes));
    changes.indexes.forEach((index, value) -> setIndex(key, index, value));
    changes.maxInactive.ifPresent(time ->
        set(
            key,
            AttributeKey.MAX_INACTIVE,
            Optional.of(ByteBuffer.allocate(Long.BYTES).putLong(time.toMillis()).array())));
    changes.touchedMillis.ifPresent(millis -> touch(key, millis));
  }

  private void set(UUID key, String name, Optional<byte[]> bytes) {
    AttributeKey attribute = new AttributeKey(key, name);
    bytes.ifPresentOrElse(
        present -> attributes.put(attribute, present), () -> attributes.remove(attribute));
  }

  private void setIndex(UUID key, String index, Optional<String> value) {
    Optional<String> before = indexed(new AttributeKey(key, AttributeKey.INDEX + index));
    if (!before.equals(value)) {
      before.ifPresent(old -> indexes.remove(new IndexKey(index, old, key)));
      value.ifPresent(present -> indexes.add(new IndexKey(index, present, key)));
      set(key, AttributeKey.INDEX + index, value.map(present -> present.getBytes(UTF_8)));
    }
  }

  private Optional<String> indexed(AttributeKey attribute) {
    byte[] value = attributes.get(attribute);
    return value == null ? Optional.empty() : Optional.of(new String(value, UTF_8));
  }

  private void touch(UUID key, long millis) {
    Duration life = maxInactive(key);
    if (life.isZero()) {
      touches.put(key, millis);
      return;
    }
    Duration rest = life.plus(config.touchEvery()).plusMillis(millis - System.currentTimeMillis());
    touches.put(key, millis, rest.compareTo(SHORTEST) < 0 ? SHORTEST : rest);
  }

  /** Whether the session had not ended. */
  boolean end(UUID key, SessionEnd why) {
    return write(() -> {
      if (why == SessionEnd.EXPIRED && touches.containsKey(key)) {
        return false; // A request has kept it alive meanwhile.
      }
      Head head = heads.remove(key);
      if (head == null) {
        return false;
      }
      ids.remove(head.id(), key);
      touches.remove(key);
      removeAttributes(key);
      return true;
    });
  }

  /**
   * What a request saved while its session ended elsewhere belongs to nobody. It is removed where
   * it was so before as well: of a session that another process begins, its head may arrive last.
   *
   * @return what belongs to nobody, and did not before
   */
  Set<UUID> removeOrphans(Set<UUID> before) {
    Set<UUID> orphans = new HashSet<>();
    AttributeKey next = attributes.isEmpty() ? null : attributes.firstKey();
    while (next != null) {
      UUID key = next.session();
      if (!heads.containsKey(key) && !before.contains(key)) {
        orphans.add(key);
      } else if (!heads.containsKey(key)) {
        write(
            1,
            () -> {
              if (!heads.containsKey(key)) {
                removeAttributes(key);
              }
              return true;
            });
      }
      next = attributes.higherKey(AttributeKey.last(key));
    }
    return orphans;
  }

  private void removeAttributes(UUID key) {
    for (AttributeKey each : keysOf(key)) {
      if (each.name().startsWith(AttributeKey.INDEX)) {
        String index = each.name().substring(AttributeKey.INDEX.length());
        indexed(each).ifPresent(value -> indexes.remove(new IndexKey(index, value, key)));
      }
      attributes.remove(each);
    }
  }

  private boolean write(Supplier<Boolean> writes) {
    return write(config.acks(), writes);
  }

  private boolean write(int acks, Supplier<Boolean> writes) {
    return node.batch(acks, writes);
  }
}
