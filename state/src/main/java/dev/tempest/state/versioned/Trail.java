package dev.tempest.state.versioned;

import java.util.Arrays;

/** Notes what an action touches, for its {@link Footprint}. */
final class Trail {
  /** Beyond so many keys an action is taken to depend on everything: footprints stay small. */
  static final int TOUCHED_MAX = 1024;

  private static final int FIRST_CAPACITY = 4;

  private int[] touched = new int[FIRST_CAPACITY];
  private int count;
  private boolean isTooLong;

  <K> void touch(KeyedObject<K, ?> object, K key) {
    add(Footprint.number(object, key));
  }

  void touchAll(StateObject<?, ?> object) {
    add(Footprint.number(object));
  }

  /**
   * The footprint of the action.
   *
   * @param writes what it wrote, taken over
   */
  Footprint footprint(Object[] writes) {
    if (isTooLong || writes.length > TOUCHED_MAX * Footprint.LOG_STEP) {
      return Footprint.EVERYTHING;
    }
    if (count == 0 && writes.length == 0) {
      return Footprint.NONE;
    }
    return new Footprint(count == touched.length ? touched : Arrays.copyOf(touched, count), writes);
  }

  private void add(int number) {
    // Mostly the key that was read is written next.
    if (count > 0 && touched[count - 1] == number) {
      return;
    }
    if (count == TOUCHED_MAX) {
      isTooLong = true;
      return;
    }
    if (count == touched.length) {
      touched = Arrays.copyOf(touched, 2 * count);
    }
    touched[count++] = number;
  }
}
