package dev.tempest.state.versioned;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys at which two versions of a state, left and right, may differ, kept up to date while
 * executions write to one of them or to both. An execution whose {@link Footprint} it does not meet
 * does the same on either.
 *
 * <p>Every key that differs is in it, and sometimes one that does not. Not thread-safe.
 */
public final class Difference {
  private record Place(StateObject<?, ?> object, Object key, int number) {
    /** The value of a counter has the counter itself for a key. */
    static Place of(StateObject<?, ?> object, Object key) {
      return new Place(object, key, Footprint.number(object, key));
    }

    /** What is stored there in a version; null for nothing. */
    @SuppressWarnings("unchecked") // Keys come from logs, beside their object.
    @Nullable Object slot(Version version) {
      Object root = version.root(object);
      return object instanceof CounterObject ? root : ((Keyed<Object>) root).entries().get(key);
    }

    boolean isSame(Version left, Version right) {
      Object one = slot(left);
      Object other = slot(right);
      if (one == null || other == null) {
        return one == null && other == null;
      }
      return object instanceof KeyedObject<?, ?> keyed
          ? keyed.isSameSlot(one, other)
          : one.equals(other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Place that
          && object == that.object
          && number == that.number
          && isSameKey(object, key, that.key);
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  private final Set<Place> places = new LinkedHashSet<>();

  /** Of the places and their objects, and of some that have gone. */
  private final NumberSet numbers = new NumberSet();

  private int gone;
  private boolean isEverything;

  /** The difference of two equal versions. */
  public Difference() {}

  /** Whether the versions are equal. */
  public boolean isEmpty() {
    return places.isEmpty() && !isEverything;
  }

  /** At how many keys they may differ, as far as those are known. */
  public int size() {
    return places.size();
  }

  /** From now on the versions may differ at every key. */
  public void addEverything() {
    isEverything = true;
  }

  /** Whether an execution with that footprint may do something else on the other version. */
  public boolean meets(Footprint footprint) {
    if (isEverything || (footprint.isEverything() && !places.isEmpty())) {
      return true;
    }
    if (!places.isEmpty()) {
      for (int number : footprint.touched()) {
        if (numbers.contains(number)) {
          return true;
        }
      }
    }
    return false;
  }

  /** One of the versions took the writes of an execution, by which it went from before to after. */
  public void add(Footprint executed, Version before, Version after) {
    if (!executed.hasWrites()) {
      addEverything();
      return;
    }
    Object[] log = executed.log();
    for (int at = 0; at < log.length; at += Footprint.LOG_STEP) {
      Place place = Place.of((StateObject<?, ?>) log[at], log[at + 1]);
      if (!places.contains(place) && !place.isSame(before, after)) {
        add(place);
      }
    }
  }

  /**
   * Each of the versions took the writes of an execution of its own: at the keys where both put the
   * same, the versions are the same again.
   */
  public void replace(Footprint left, Footprint right) {
    if (left.hasWrites() && right.hasWrites() && isSame(left.log(), right.log())) {
      removeAbsolute(right.log());
    } else {
      addAll(left, right);
    }
  }

  /** As {@link #replace}, where the versions may differ at all keys written, whatever was put. */
  public void addAll(Footprint left, Footprint right) {
    if (left.hasWrites() && right.hasWrites()) {
      addAll(left.log());
      addAll(right.log());
    } else {
      addEverything();
    }
  }

  /** The versions are these: forgets the keys at which they are the same. */
  public void compare(Version left, Version right) {
    for (Iterator<Place> each = places.iterator(); each.hasNext(); ) {
      if (each.next().isSame(left, right)) {
        each.remove();
        gone++;
      }
    }
    renumber();
  }

  /**
   * A version with what another one has at these keys: the right version where {@code version} is
   * the left one, and {@code source} agrees with the right one at these keys.
   */
  @SuppressWarnings("unchecked") // As in Place.
  public Version carry(Version version, Version source) {
    if (places.isEmpty()) {
      return version;
    }
    Object[] roots = version.schema.roots(version);
    for (Place place : places) {
      int index = place.object.index;
      Object slot = place.slot(source);
      if (place.object instanceof KeyedObject<?, ?> keyed) {
        KeyedObject<Object, Object> object = (KeyedObject<Object, Object>) keyed;
        roots[index] = object.withSlot((Keyed<Object>) roots[index], place.key, slot);
      } else if (slot != null) {
        roots[index] = slot;
      }
    }
    return new Version(version.schema, version.generation, roots);
  }

  private void add(Place place) {
    if (places.add(place)) {
      numbers.add(place.number);
      numbers.add(Footprint.number(place.object));
    }
  }

  private void addAll(Object[] log) {
    for (int at = 0; at < log.length; at += Footprint.LOG_STEP) {
      add(Place.of((StateObject<?, ?>) log[at], log[at + 1]));
    }
  }

  /** After such a write, and whatever follows it in the log, the key is the same in both. */
  private void removeAbsolute(Object[] log) {
    for (int at = 0; at < log.length; at += Footprint.LOG_STEP) {
      if (log[at] instanceof KeyedObject<?, ?> && Footprint.isAbsolute(log[at + 2])) {
        gone += places.remove(Place.of((StateObject<?, ?>) log[at], log[at + 1])) ? 1 : 0;
      }
    }
    renumber();
  }

  private void renumber() {
    if (gone >= 1 && gone >= places.size() / 2) {
      gone = 0;
      numbers.clear();
      for (Place place : places) {
        numbers.add(place.number);
        numbers.add(Footprint.number(place.object));
      }
    }
  }

  @SuppressWarnings("unchecked") // Both are keys of the object.
  private static boolean isSameKey(Object object, Object key, Object other) {
    return object instanceof KeyedObject<?, ?> keyed
        ? ((KeyedObject<Object, ?>) keyed).keys.isSame(key, other)
        : key.equals(other);
  }

  @SuppressWarnings("ReferenceEquality") // Objects of one name may be of two generations.
  private static boolean isSame(Object[] left, Object[] right) {
    if (left.length != right.length) {
      return false;
    }
    for (int at = 0; at < left.length; at += Footprint.LOG_STEP) {
      if (left[at] != right[at] || !isSameKey(left[at], left[at + 1], right[at + 1])) {
        return false;
      }
      boolean same =
          left[at] instanceof KeyedObject<?, ?> object
              ? object.isSameWrite(left[at + 2], right[at + 2])
              : left[at + 2].equals(right[at + 2]);
      if (!same) {
        return false;
      }
    }
    return true;
  }
}
