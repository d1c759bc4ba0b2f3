package dev.tempest.state.versioned;

import dev.tempest.state.Action;
import dev.tempest.state.Merge;
import dev.tempest.state.versioned.Write.Conditional;
import dev.tempest.state.versioned.Write.Merged;
import dev.tempest.state.versioned.Write.Removed;
import dev.tempest.state.versioned.Write.Several;
import dev.tempest.state.versioned.Write.Touched;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One request executing over a version. It sees what it wrote; others see all of it after {@link
 * #commit}, or nothing after {@link #abort}.
 *
 * <p>Not thread-safe: it belongs to the thread that executes the request.
 */
public final class VersionedAction implements Action {
  /** The most writes in one action, so that one gone wild fails before it takes the memory. */
  private static final int WRITES_MAX = 1 << 24;

  /** Collection, key, and what was written: a value, a lease or a {@link Write}. */
  private static final int LOG_STEP = Footprint.LOG_STEP;

  private static final int LOG_FIRST_CAPACITY = 4 * LOG_STEP;
  private static final Object[] NOTHING_LOGGED = {};
  private static final long[] NO_INCREMENTS = {};

  private final VersionedState state;
  private final Version before;
  private final long nowMillis;
  private final long seed;
  private boolean readOnly;

  /** Null if nobody will ask for the footprint. */
  private final @Nullable Trail trail;

  private Object[] roots;
  private boolean changed;
  private boolean ended;
  private boolean committed;
  private Object[] log = NOTHING_LOGGED;
  private int logEnd;

  /** What it wrote takes so much, about; of a service. */
  private long writtenBytes;

  private long[] increments = NO_INCREMENTS;
  private @Nullable SplitMix random;
  private long positions;

  VersionedAction(
      VersionedState state,
      Version before,
      long nowMillis,
      long seed,
      boolean readOnly,
      @Nullable Trail trail) {
    this.state = state;
    this.before = before;
    this.nowMillis = nowMillis;
    this.seed = seed;
    this.readOnly = readOnly;
    this.trail = trail;
    this.roots = before.sharedRoots();
  }

  @Override
  public Instant now() {
    return Instant.ofEpochMilli(nowMillis);
  }

  @Override
  public RandomGenerator random() {
    SplitMix known = random;
    if (known == null) {
      known = new SplitMix(seed);
      random = known;
    }
    return known;
  }

  /**
   * Ends the action.
   *
   * @return the version with all of its writes; the version before it where they change nothing
   * @throws IllegalStateException if it has ended already
   */
  public Version commit() {
    if (ended) {
      throw new IllegalStateException("this action has committed or aborted already");
    }
    end();
    committed = true;
    return changed ? new Version(before.schema, before.generation, roots) : before;
  }

  /** Ends the action if it has not ended yet, and forgets its writes. */
  public void abort() {
    if (!ended) {
      end();
    }
    committed = false;
  }

  private void end() {
    state.end(this);
    ended = true;
  }

  /** What was written so far, also after {@link #commit} or {@link #abort}. */
  public Change change() {
    @Nullable Object[] writes = new Object[before.schema.size()];
    for (int at = 0; at < logEnd; at += LOG_STEP) {
      addWrite(writes, at);
    }
    for (int index = 0; index < increments.length; index++) {
      if (increments[index] != 0) {
        writes[index] = increments[index];
      }
    }
    return new Change(before.schema, writes);
  }

  /**
   * What it read and wrote, if it has committed, or just read. Everything, if it was not begun by
   * {@link VersionedState#beginTraced}.
   */
  public Footprint footprint() {
    if (trail == null) {
      return Footprint.EVERYTHING;
    }
    Object[] writes = committed ? writes() : NOTHING_LOGGED;
    return trail.footprint(writes);
  }

  /** How much of a state it wrote, about; 0 if it is no action of a service. */
  public long writtenBytes() {
    return writtenBytes;
  }

  /** The log to its end, and after it the increments. */
  private Object[] writes() {
    int end = logEnd;
    for (long increment : increments) {
      end += increment == 0 ? 0 : LOG_STEP;
    }
    if (end == 0) {
      return NOTHING_LOGGED;
    }
    Object[] writes = Arrays.copyOf(log, end);
    int at = logEnd;
    for (int index = 0; index < increments.length; index++) {
      if (increments[index] != 0) {
        StateObject<?, ?> counter = before.schema.objects().get(index);
        writes[at] = counter;
        writes[at + 1] = counter;
        writes[at + 2] = increments[index];
        at += LOG_STEP;
      }
    }
    return writes;
  }

  /** The version that it executes over. */
  public Version before() {
    return before;
  }

  boolean isReadOnly() {
    return readOnly;
  }

  /** The current root. */
  Object root(StateObject<?, ?> object) {
    // One declared since the action began has no root yet.
    return object.index < roots.length ? roots[object.index] : object.emptyRoot();
  }

  /** The current root of a keyed object. */
  @SuppressWarnings("unchecked") // The root was made by the object.
  <K, V> Keyed<K> keyed(KeyedObject<K, V> object) {
    return (Keyed<K>) root(object);
  }

  /** Notes that the request looks at all of an object, its size or a range. */
  void touchAll(StateObject<?, ?> object) {
    if (trail != null) {
      trail.touchAll(object);
    }
  }

  /** Notes that the request looks at what is under a key. */
  <K, V> void touchKey(KeyedObject<K, V> object, K key) {
    if (trail != null) {
      trail.touch(object, key);
    }
  }

  /** What is stored under a key now, whether it is over or not. */
  <K, V> @Nullable Object slot(KeyedObject<K, V> object, K key) {
    touchKey(object, key);
    return keyed(object).entries().get(key);
  }

  /** The value that the action sees under a key; null for none. */
  <K, V> @Nullable V find(KeyedObject<K, V> object, K key) {
    return object.visible(slot(object, key), nowMillis);
  }

  /** Whether the action sees a value under a key, readable or not. */
  <K, V> boolean has(KeyedObject<K, V> object, K key) {
    return Lease.isThere(slot(object, key), nowMillis);
  }

  long nowMillis() {
    return nowMillis;
  }

  /** Puts a value, which lives as the object says. */
  <K, V> void put(KeyedObject<K, V> object, K key, V value) {
    write(object, key, object.slot(over(object, key, value), nowMillis));
    makeRoom(object, key);
  }

  /** Puts a value that lives for a time of its own. */
  <K, V> void put(KeyedObject<K, V> object, K key, V value, long timeToLiveMillis) {
    V stored = over(object, key, value);
    long idleMillis = object.lifetime.idleMillis();
    write(object, key, new Lease(stored, nowMillis + timeToLiveMillis, idleMillis, nowMillis));
    makeRoom(object, key);
  }

  /**
   * Puts a value where there is, to the eye of the action, what is expected.
   *
   * @param expected null for none
   */
  <K, V> void putIf(KeyedObject<K, V> object, K key, @Nullable V expected, V value) {
    writeIf(object, key, expected, object.slot(over(object, key, value), nowMillis));
    makeRoom(object, key);
  }

  /** With what only other code knows of the value that the action sees there. */
  private <K, V> V over(KeyedObject<K, V> object, K key, V value) {
    return object.hasUnread(keyed(object))
        ? object.over(slot(object, key), value, nowMillis)
        : value;
  }

  <K, V> void remove(KeyedObject<K, V> object, K key) {
    write(object, key, Removed.REMOVED);
  }

  /** Removes a value that, to the eye of the action, is there. */
  <K, V> void removeIf(KeyedObject<K, V> object, K key, V expected) {
    writeIf(object, key, expected, Removed.REMOVED);
  }

  /** Says that an entry was used, where it is worth it still. */
  <K, V> void use(KeyedObject<K, V> object, K key) {
    if (slot(object, key) instanceof Lease lease
        && !lease.isOver(nowMillis)
        && lease.isWorthTouching(nowMillis)) {
      write(object, key, new Touched(nowMillis));
    }
  }

  /** Merges an operand. */
  <K, V> void merge(KeyedObject<K, V> object, K key, Merge<?> function, V operand) {
    if (!function.equals(state.merge(function.name()))) {
      throw new IllegalArgumentException(
          function + " is not registered: register it at every node before you use it");
    }
    Object slot = slot(object, key);
    // What is over by now but stored still would count as present where this is applied.
    boolean isOver = slot != null && !Lease.isThere(slot, nowMillis);
    Object merged =
        isOver && object.lifetime.isUnlimited()
            ? new Lease(operand, Lease.NEVER, 0, nowMillis)
            : object.slot(operand, nowMillis);
    write(object, key, new Merged(function.name(), merged));
    makeRoom(object, key);
  }

  private <K, V> void writeIf(
      KeyedObject<K, V> object, K key, @Nullable Object expected, Object write) {
    // What is over by now but stored still would count as present where this is applied.
    boolean isOver = expected == null && slot(object, key) != null;
    write(
        object,
        key,
        object.travelsConditions && !isOver ? new Conditional(expected, write) : write);
  }

  /** Writes what a {@link Write} says, or puts a value or lease as it is. */
  <K, V> void write(KeyedObject<K, V> object, K key, Object write) {
    touchKey(object, key);
    if (!(write instanceof Removed || write instanceof Touched)) {
      object.requireOrder(keyed(object), key);
      if (state.isOfService()) { // What a node writes is measured as a whole.
        writtenBytes += EntryLimit.require(object, key, write);
      }
    }
    if (logEnd == log.length) {
      growLog();
    }
    log[logEnd] = object;
    log[logEnd + 1] = key;
    log[logEnd + 2] = write;
    logEnd += LOG_STEP;
    setRoot(object, object.apply(keyed(object), key, write));
  }

  /** A position between two others that no other action gives to anybody. */
  Position position(@Nullable Position before, @Nullable Position after) {
    Position position = Position.between(before, after, seed, positions);
    positions++;
    return position;
  }

  /** Fills an array with such positions. */
  void fill(Position[] into, @Nullable Position before, @Nullable Position after) {
    Position.fill(into, before, after, seed, positions);
    positions += into.length;
  }

  /** Does what {@code writes} does, or nothing if it throws. */
  <T extends @Nullable Object> T allOrNothing(Function<VersionedAction, T> writes) {
    Savepoint before = savepoint();
    boolean done = false;
    try {
      T result = writes.apply(this);
      done = true;
      return result;
    } finally {
      if (!done) {
        backTo(before);
      }
    }
  }

  /** What was written until a moment. */
  public static final class Savepoint {
    private final boolean changed;
    private final Object[] roots;
    private final int logEnd;
    private final long[] increments;

    private Savepoint(boolean changed, Object[] roots, int logEnd, long[] increments) {
      this.changed = changed;
      this.roots = roots;
      this.logEnd = logEnd;
      this.increments = increments;
    }
  }

  /** What it has written so far, to go {@link #backTo}. */
  public Savepoint savepoint() {
    return new Savepoint(changed, changed ? roots.clone() : roots, logEnd, increments.clone());
  }

  /** Forgets what it has written since; a savepoint serves once. */
  public void backTo(Savepoint savepoint) {
    changed = savepoint.changed;
    roots = savepoint.roots;
    logEnd = savepoint.logEnd;
    increments = savepoint.increments;
  }

  /** Whether writes throw {@link dev.tempest.state.ReadOnlyException} from here on. */
  public void onlyReads(boolean only) {
    readOnly = only;
  }

  /** Removes all entries. */
  <K, V> void clear(KeyedObject<K, V> object) {
    touchAll(object);
    Cursor<K, Object> cursor = keyed(object).entries().cursor();
    while (cursor.advance()) {
      write(object, cursor.key(), Removed.REMOVED);
    }
  }

  long value(CounterObject object) {
    touchAll(object);
    return (Long) root(object);
  }

  long add(CounterObject object, long delta) {
    if (increments.length <= object.index) {
      increments = Arrays.copyOf(increments, before.schema.size());
    }
    increments[object.index] += delta;
    long sum = value(object) + delta;
    if (delta != 0) {
      setRoot(object, sum);
    }
    return sum;
  }

  /** What was written took the place of others where the object has a maximum. */
  private <K, V> void makeRoom(KeyedObject<K, V> object, K written) {
    int sizeMax = object.lifetime.sizeMax();
    if (sizeMax > 0) {
      touchAll(object);
    }
    while (sizeMax > 0 && keyed(object).size() > sizeMax) {
      write(object, object.firstToGo(keyed(object), written), Removed.REMOVED);
    }
  }

  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  private void setRoot(StateObject<?, ?> object, Object root) {
    if (root == root(object)) {
      return;
    }
    if (!changed || object.index >= roots.length) {
      roots = changed ? withDeclaredSince() : before.schema.roots(before);
      changed = true;
    }
    roots[object.index] = root;
  }

  private Object[] withDeclaredSince() {
    Object[] more = before.schema.emptyVersion().sharedRoots().clone();
    System.arraycopy(roots, 0, more, 0, roots.length);
    return more;
  }

  private void growLog() {
    if (log.length >= WRITES_MAX * LOG_STEP) {
      throw new IllegalStateException(
          "one request writes more than " + WRITES_MAX + " times: split it into several");
    }
    log = Arrays.copyOf(log, Math.max(LOG_FIRST_CAPACITY, 2 * log.length));
  }

  /**
   * Of several writes to a key only what came of them counts, unless all depend on what is there:
   * these are kept, merges by one function as one.
   */
  @SuppressWarnings("unchecked") // The log holds a key and value of the object beside it.
  private void addWrite(@Nullable Object[] writes, int at) {
    KeyedObject<Object, Object> object = (KeyedObject<Object, Object>) log[at];
    Object key = log[at + 1];
    TrieMap<Object, Object> known = (TrieMap<Object, Object>) writes[object.index];
    TrieMap<Object, Object> others = known == null ? object.noWrites() : known;
    Object earlier = others.get(key);
    Object write = log[at + 2];
    if (earlier != null) {
      write = both(object, key, earlier, write);
    }
    writes[object.index] = others.put(key, write);
  }

  private Object both(
      KeyedObject<Object, Object> object, Object key, Object earlier, Object later) {
    if (!isRelative(later)) {
      return later;
    }
    if (!isRelative(earlier)) {
      Object slot = keyed(object).entries().get(key);
      return slot == null ? Removed.REMOVED : slot;
    }
    List<Write> writes = new ArrayList<>();
    if (earlier instanceof Several several) {
      writes = several.writes(); // Made here, and known to nobody yet.
    } else {
      writes.add((Write) earlier);
    }
    if (writes.getLast() instanceof Merged last
        && later instanceof Merged next
        && last.function().equals(next.function())) {
      writes.removeLast();
      writes.add(new Merged(last.function(), object.merged(last.operand(), next)));
    } else {
      writes.add((Write) later);
    }
    return writes.size() == 1 ? writes.getFirst() : new Several(writes);
  }

  /** Whether what comes of a write depends on what is there. */
  private static boolean isRelative(Object write) {
    return write instanceof Write && !(write instanceof Removed);
  }
}
