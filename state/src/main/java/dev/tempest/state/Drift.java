package dev.tempest.state;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * By which keys two histories differ of which one has entries that the other lacks, while somebody
 * walks along both: entries whose {@link Footprint} it does not meet did the same in both.
 *
 * <p>All keys that differ are in it, and sometimes one that does not. Not thread-safe.
 */
public final class Drift {
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
          && isSameKey(that.key);
    }

    @SuppressWarnings("unchecked") // Both are keys of this object.
    private boolean isSameKey(Object other) {
      return !(object instanceof KeyedObject<?, ?> keyed)
          || ((KeyedObject<Object, ?>) keyed).keys.isSame(key, other);
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

  /** A drift of nothing. */
  public Drift() {}

  /** Whether the histories are the same again. */
  public boolean isEmpty() {
    return places.isEmpty() && !isEverything;
  }

  /** The histories may differ by everything from now on: no entry did the same in both. */
  public void addEverything() {
    isEverything = true;
  }

  /** Whether an execution with that footprint may do something else in the other history. */
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

  /** One history has an execution that the other lacks: what it changed is different now. */
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
   * Both histories have an execution, but it may have done something else in each: where both put
   * the same they are the same again.
   */
  public void replace(Footprint earlier, Footprint later) {
    if (earlier.hasWrites() && later.hasWrites() && isSame(earlier.log(), later.log())) {
      removeAbsolute(later.log());
    } else {
      addAll(earlier, later);
    }
  }

  /** Both histories have an execution, and all that it wrote may differ. */
  public void addAll(Footprint earlier, Footprint later) {
    if (earlier.hasWrites() && later.hasWrites()) {
      addAll(earlier.log());
      addAll(later.log());
    } else {
      addEverything();
    }
  }

  /** At some place of the histories the versions are these: forgets what is the same in both. */
  public void compare(Version earlier, Version later) {
    for (Iterator<Place> each = places.iterator(); each.hasNext(); ) {
      if (each.next().isSame(earlier, later)) {
        each.remove();
        gone++;
      }
    }
    renumber();
  }

  /** The version in the later history that corresponds to one in the earlier. */
  @SuppressWarnings("unchecked") // As in Place.
  public Version carry(Version earlier, Version later) {
    if (places.isEmpty()) {
      return earlier;
    }
    Object[] roots = earlier.schema.roots(earlier);
    for (Place place : places) {
      int index = place.object.index;
      Object slot = place.slot(later);
      if (place.object instanceof KeyedObject<?, ?> keyed) {
        KeyedObject<Object, Object> object = (KeyedObject<Object, Object>) keyed;
        roots[index] = object.withSlot((Keyed<Object>) roots[index], place.key, slot);
      } else if (slot != null) {
        roots[index] = slot;
      }
    }
    return new Version(earlier.schema, earlier.generation, roots);
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

  @SuppressWarnings("ReferenceEquality") // Objects of one name may be of two generations.
  private static boolean isSame(Object[] earlier, Object[] later) {
    if (earlier.length != later.length) {
      return false;
    }
    for (int at = 0; at < earlier.length; at += Footprint.LOG_STEP) {
      if (earlier[at] != later[at] || !earlier[at + 1].equals(later[at + 1])) {
        return false;
      }
      boolean same =
          earlier[at] instanceof KeyedObject<?, ?> object
              ? object.isSameWrite(earlier[at + 2], later[at + 2])
              : earlier[at + 2].equals(later[at + 2]);
      if (!same) {
        return false;
      }
    }
    return true;
  }
}
