package dev.tempest.sessions;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tempest.Node;
import dev.tempest.OverloadedException;
import dev.tempest.UnknownOutcomeException;
import dev.tempest.state.TimedMap;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The collections that hold the sessions. Each session has a key for life; whatever writes of two
 * requests must not lose each other has an entry of its own under it.
 */
final class SessionStore {
  private static final System.Logger LOGGER = System.getLogger(SessionStore.class.getName());
  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** So many threads at most wait for a touch to be written: no answer depends on one. */
  private static final int TOUCHING_MAX = 8;

  private static final int TOUCH_MILLIS = 200;

  /** One change removes so much at least, and one more entry at most. */
  private static final int REMOVED_BYTES = 8 << 20;

  /** A session that has not ended. */
  record Found(UUID key, Head head, long touchedMillis) {}

  /**
   * When a request was.
   *
   * @param foundMillis when the latest one before had been, as far as it knew
   */
  record Touch(long foundMillis, long millis) {}

  /** What a request saves; a name with nothing is removed. */
  record Changes(
      Optional<String> newId,
      Map<String, Optional<byte[]>> attributes,
      Map<String, Optional<String>> indexes,
      Optional<Duration> maxInactive,
      Optional<Touch> touch) {

    static Changes of(Touch touch) {
      return new Changes(
          Optional.empty(), Map.of(), Map.of(), Optional.empty(), Optional.of(touch));
    }

    /** Those that are there after changes. */
    static Set<String> names(
        Collection<String> before, Map<String, ? extends Optional<?>> changes) {
      Set<String> names = new TreeSet<>(before);
      changes.forEach((name, value) -> {
        if (value.isPresent()) {
          names.add(name);
        } else {
          names.remove(name);
        }
      });
      return names;
    }

    /** At most that it is alive: no answer depends on who knows that. */
    boolean isTouch() {
      return newId.isEmpty() && attributes.isEmpty() && indexes.isEmpty() && maxInactive.isEmpty();
    }
  }

  private final Node node;
  private final SessionsConfig config;
  private final Counting counting;
  private final ConcurrentMap<String, UUID> ids;
  private final ConcurrentMap<UUID, Origin> origins;
  private final TimedMap<UUID, Long> touches;
  private final ConcurrentNavigableMap<AttributeKey, byte[]> attributes;
  private final NavigableSet<IndexKey> indexes;
  private final Orphans orphans;
  private final Semaphore touching = new Semaphore(TOUCHING_MAX);

  SessionStore(Node node, SessionsConfig config, Counting counting) {
    this.node = node;
    this.config = config;
    this.counting = counting;
    SessionCollections all = SessionCollections.of(node, config.name());
    ids = all.ids();
    origins = all.origins();
    touches = all.touches();
    attributes = all.attributes();
    indexes = all.indexes();
    orphans = new Orphans(this, all, removing -> write(1, removing));
  }

  /** The latest requests, by what sessions are known by; one that expires goes from here first. */
  TimedMap<UUID, Long> touches() {
    return touches;
  }

  /** Those that seem to have expired: from copies, since each single read may ask others. */
  Set<UUID> untouched() {
    Set<UUID> found = new HashSet<>(origins.keySet());
    found.removeAll(new HashSet<>(touches.keySet()));
    return found;
  }

  int size() {
    return origins.size();
  }

  Optional<Found> find(String id) {
    UUID key = ids.get(id);
    Head head = key == null ? null : head(key, id);
    return key == null || head == null ? Optional.empty() : found(key, head);
  }

  Optional<Found> find(UUID key) {
    Head head = head(key);
    return head == null ? Optional.empty() : found(key, head);
  }

  private Optional<Found> found(UUID key, Head head) {
    Long touched = touches.get(key);
    return touched == null ? Optional.empty() : Optional.of(new Found(key, head, touched));
  }

  /** Also of one that has expired and has not ended yet. */
  @Nullable Head head(UUID key) {
    Origin origin = origins.get(key);
    return origin == null ? null : new Head(idOf(key, origin), origin.createdMillis());
  }

  /** Null if that is none of its ids that counts. The first one goes with the next. */
  @Nullable Head head(UUID key, String id) {
    Origin origin = origins.get(key);
    return origin != null && (origin.id().equals(id) || idOf(key, origin).equals(id))
        ? new Head(id, origin.createdMillis())
        : null;
  }

  private String idOf(UUID key, Origin origin) {
    byte[] later = attribute(key, AttributeKey.ID);
    return later == null ? origin.id() : new String(later, UTF_8);
  }

  boolean contains(UUID key) {
    return origins.containsKey(key);
  }

  List<UUID> findByIndex(String index, String value) {
    List<UUID> found = new ArrayList<>();
    for (IndexKey each : indexes.tailSet(IndexKey.first(index, value))) {
      if (!each.isOf(index, value)) {
        break;
      }
      if (isCurrent(each)) {
        found.add(each.session());
      }
    }
    return found;
  }

  /** Else two processes have given its session different values at the same time. */
  boolean isCurrent(IndexKey key) {
    return indexed(key.session(), key.index()).equals(Optional.of(key.value()));
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
    writeAsConfigured(() -> {
      ids.put(head.id(), key);
      origins.put(key, new Origin(head.id(), head.createdMillis()));
      change(key, changes);
      return true;
    });
  }

  /** What became of changes. */
  enum Saved {
    YES,

    /** The session has ended. */
    ENDED,

    /** They are but a touch, which cannot be written now: the next request touches again. */
    UNTOUCHED;

    private static Saved of(boolean isAlive) {
      return isAlive ? YES : ENDED;
    }
  }

  Saved save(UUID key, Changes changes) {
    if (!changes.isTouch()) {
      return Saved.of(writeAsConfigured(changing(key, changes)));
    }
    boolean isAlive = contains(key);
    return isAlive && changes.touch.isPresent() ? touchSoon(key, changes) : Saved.of(isAlive);
  }

  private Saved touchSoon(UUID key, Changes changes) {
    try {
      if (touching.tryAcquire(TOUCH_MILLIS, TimeUnit.MILLISECONDS)) {
        try {
          return Saved.of(write(1, changing(key, changes)));
        } finally {
          touching.release();
        }
      }
    } catch (OverloadedException | UnknownOutcomeException unsaid) {
      LOGGER.log(System.Logger.Level.DEBUG, "A session was not touched", unsaid);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return Saved.UNTOUCHED;
  }

  private Supplier<Boolean> changing(UUID key, Changes changes) {
    return () -> {
      Origin origin = origins.get(key);
      if (origin == null) {
        return false;
      }
      changes.newId.ifPresent(id -> changeId(key, origin, id));
      change(key, changes);
      return true;
    };
  }

  private void changeId(UUID key, Origin origin, String id) {
    ids.remove(idOf(key, origin), key);
    ids.put(id, key);
    set(key, AttributeKey.ID, Optional.of(id.getBytes(UTF_8)));
  }

  private void change(UUID key, Changes changes) {
    changes.attributes.forEach((name, bytes) -> set(key, name, bytes));
    changes.indexes.forEach((index, value) -> setIndex(key, index, value));
    changes.maxInactive.ifPresent(time ->
        set(
            key,
            AttributeKey.MAX_INACTIVE,
            Optional.of(ByteBuffer.allocate(Long.BYTES).putLong(time.toMillis()).array())));
    changes.touch.ifPresent(touch -> touch(key, touch));
  }

  private void set(UUID key, String name, Optional<byte[]> bytes) {
    AttributeKey attribute = new AttributeKey(key, name);
    bytes.ifPresentOrElse(
        present -> attributes.put(attribute, present), () -> attributes.remove(attribute));
  }

  private void setIndex(UUID key, String index, Optional<String> value) {
    Optional<String> before = indexed(key, index);
    if (!before.equals(value)) {
      before.ifPresent(old -> indexes.remove(new IndexKey(index, old, key)));
      value.ifPresent(present -> indexes.add(new IndexKey(index, present, key)));
      set(key, AttributeKey.INDEX + index, value.map(IndexKey::encoded));
    }
  }

  private Optional<String> indexed(UUID key, String index) {
    byte[] value = attribute(key, AttributeKey.INDEX + index);
    return value == null ? Optional.empty() : Optional.of(IndexKey.decoded(value));
  }

  /** A request that was long on its way undoes no later one. */
  private void touch(UUID key, Touch touch) {
    Long stored = touches.get(key);
    long millis =
        stored != null && stored > touch.foundMillis
            ? Math.max(stored, touch.millis)
            : touch.millis;
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
    Supplier<Boolean> ending =
        () -> {
          if (why == SessionEnd.EXPIRED && touches.containsKey(key)) {
            return false; // A request has kept it alive meanwhile.
          }
          Origin origin = origins.remove(key);
          if (origin == null) {
            return false;
          }
          ids.remove(idOf(key, origin), key);
          touches.remove(key);
          removeAttributes(key); // What is left after that belongs to nobody.
          return true;
        };
    return why == SessionEnd.EXPIRED
        ? write(1, ending) // Nobody waits for one that expires.
        : writeAsConfigured(ending);
  }

  /** As {@link Orphans#remove} does. */
  Set<Object> removeOrphans(Set<?> before) {
    return orphans.remove(before);
  }

  /**
   * As many as fit one change: requests that add some at the same time can add more.
   *
   * @return whether these were all
   */
  boolean removeAttributes(UUID key) {
    long bytes = 0;
    for (AttributeKey each : keysOf(key)) {
      if (bytes > REMOVED_BYTES) {
        return false;
      }
      bytes += AttributeKey.bytes(each.name()) + Unsaved.ENTRY_BYTES;
      if (each.name().startsWith(AttributeKey.INDEX)) {
        String index = each.name().substring(AttributeKey.INDEX.length());
        indexed(key, index).ifPresent(value -> indexes.remove(new IndexKey(index, value, key)));
        bytes += Unsaved.INDEX_BYTES;
      }
      attributes.remove(each);
    }
    return true;
  }

  private boolean writeAsConfigured(Supplier<Boolean> writes) {
    try {
      return write(config.acks(), writes);
    } catch (RuntimeException failed) {
      if (Unwritten.is(failed)) {
        counting.unsaved.increment();
      }
      throw failed;
    }
  }

  private boolean write(int acks, Supplier<Boolean> writes) {
    return node.batch(acks, writes);
  }
}
