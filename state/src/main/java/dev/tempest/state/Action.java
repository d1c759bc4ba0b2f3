package dev.tempest.state;

import dev.tempest.state.TrieObject.Removed;
import java.time.Instant;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One request executing over a version. It sees what it wrote; others see all of it after {@link
 * #commit}, or nothing after {@link #abort}.
 *
 * <p>Service methods take time and randomness from here, so that every replica computes the same.
 * Not thread-safe: it belongs to the thread that executes the request.
 */
public final class Action {
  /** The most writes in one action, so that one gone wild fails before it takes the memory. */
  private static final int WRITES_MAX = 1 << 24;

  /** State object, key, value or {@link Removed}. */
  private static final int LOG_STEP = 3;

  private static final int LOG_FIRST_CAPACITY = 4 * LOG_STEP;
  private static final Object[] NOTHING_LOGGED = {};
  private static final long[] NO_INCREMENTS = {};

  private final State state;
  private final Version before;
  private final long nowMillis;
  private final long seed;
  private final boolean readOnly;

  private Object[] roots;
  private boolean changed;
  private Object[] log = NOTHING_LOGGED;
  private int logEnd;
  private long[] increments = NO_INCREMENTS;
  private @Nullable SplitMix random;

  Action(State state, Version before, long nowMillis, long seed, boolean readOnly) {
    this.state = state;
    this.before = before;
    this.nowMillis = nowMillis;
    this.seed = seed;
    this.readOnly = readOnly;
    this.roots = before.sharedRoots();
  }

  /** The time of the request, the same on every replica that executes it. */
  public Instant now() {
    return Instant.ofEpochMilli(nowMillis);
  }

  /**
   * Random numbers, the same on every replica that executes the request, and in every Java version.
   * Good for choices, not for secrets. One generator per action.
   */
  public RandomGenerator random() {
    SplitMix known = random;
    if (known == null) {
      known = new SplitMix(seed);
      random = known;
    }
    return known;
  }

  /**
   * For the executor: ends the action.
   *
   * @return the version with all of its writes; the version before it where they change nothing
   * @throws IllegalStateException if it has ended already
   */
  public Version commit() {
    state.end(this);
    return changed ? new Version(before.schema, roots) : before;
  }

  /**
   * For the executor: ends the action and forgets its writes.
   *
   * @throws IllegalStateException if it has ended already
   */
  public void abort() {
    state.end(this);
  }

  /** For the executor: what was written so far, also after {@link #commit} or {@link #abort}. */
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

  boolean isReadOnly() {
    return readOnly;
  }

  /** The current root of a map or set. */
  @SuppressWarnings("unchecked") // The root was made by the object.
  <K, V> TrieMap<K, V> root(TrieObject<K, V> object) {
    return (TrieMap<K, V>) roots[object.index];
  }

  long value(CounterObject object) {
    return (Long) roots[object.index];
  }

  /** Notes that {@code key} got {@code value}, or was {@link Removed}, which made {@code root}. */
  <K, V> void write(TrieObject<K, V> object, TrieMap<K, V> root, K key, Object value) {
    if (logEnd == log.length) {
      growLog();
    }
    log[logEnd] = object;
    log[logEnd + 1] = key;
    log[logEnd + 2] = value;
    logEnd += LOG_STEP;
    setRoot(object, root);
  }

  long add(CounterObject object, long delta) {
    if (increments.length == 0) {
      increments = new long[roots.length];
    }
    increments[object.index] += delta;
    long sum = value(object) + delta;
    if (delta != 0) {
      setRoot(object, sum);
    }
    return sum;
  }

  @SuppressWarnings("ReferenceEquality") // What did not change is the same object.
  private void setRoot(StateObject<?, ?> object, Object root) {
    if (root == roots[object.index]) {
      return;
    }
    if (!changed) {
      roots = roots.clone();
      changed = true;
    }
    roots[object.index] = root;
  }

  private void growLog() {
    if (log.length >= WRITES_MAX * LOG_STEP) {
      throw new IllegalStateException(
          "one request writes more than " + WRITES_MAX + " times: split it into several");
    }
    log = Arrays.copyOf(log, Math.max(LOG_FIRST_CAPACITY, 2 * log.length));
  }

  /** Later writes to a key replace earlier ones. */
  @SuppressWarnings("unchecked") // The log holds a key and value of the object beside it.
  private void addWrite(@Nullable Object[] writes, int at) {
    TrieObject<Object, Object> object = (TrieObject<Object, Object>) log[at];
    TrieMap<Object, Object> known = (TrieMap<Object, Object>) writes[object.index];
    TrieMap<Object, Object> earlier = known == null ? object.noWrites() : known;
    writes[object.index] = earlier.put(log[at + 1], log[at + 2]);
  }
}
