package dev.tempest.wire;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A set of positive numbers kept as maximal intervals: what a client has numbered 1, 2, 3... takes
 * one of them, whatever arrived out of order only meanwhile more.
 *
 * <p>Not thread-safe.
 */
public final class IntervalSet {
  private static final long[] NONE = {};

  /** First and last of each interval in turn, ascending, with a gap between any two intervals. */
  private long[] bounds = NONE;

  private int length;

  /** An empty set. */
  public IntervalSet() {}

  /** The numbers from {@code first} to {@code last}. */
  public static IntervalSet of(long first, long last) {
    IntervalSet set = new IntervalSet();
    set.append(first, last);
    return set;
  }

  /** A set of the same numbers. */
  public IntervalSet copy() {
    IntervalSet copy = new IntervalSet();
    copy.bounds = Arrays.copyOf(bounds, length);
    copy.length = length;
    return copy;
  }

  /**
   * Adds the numbers from {@code first} to {@code last}, which have to lie above all others, a gap
   * in between or not.
   */
  public void append(long first, long last) {
    if (first < 1 || last < first || (length > 0 && first <= bounds[length - 1])) {
      throw new IllegalArgumentException(first + ".." + last + " does not follow " + this);
    }
    if (length > 0 && first == bounds[length - 1] + 1) {
      bounds[length - 1] = last;
    } else {
      insert(length, first, last);
    }
  }

  /** Adds a number; false if it was there. */
  public boolean add(long number) {
    if (number < 1) {
      throw new IllegalArgumentException("numbers start at 1, not " + number);
    }
    if (length > 0 && number - 1 == bounds[length - 1]) { // Mostly so: the next one.
      bounds[length - 1] = number;
      return true;
    }
    int at = firstEndingAtOrAfter(number);
    if (at < length && bounds[at] <= number) {
      return false;
    }
    boolean joinsLeft = at > 0 && bounds[at - 1] == number - 1;
    boolean joinsRight = at < length && bounds[at] == number + 1;
    if (joinsLeft && joinsRight) {
      System.arraycopy(bounds, at + 1, bounds, at - 1, length - at - 1);
      length -= 2;
    } else if (joinsLeft) {
      bounds[at - 1] = number;
    } else if (joinsRight) {
      bounds[at] = number;
    } else {
      insert(at, number, number);
    }
    return true;
  }

  /** Removes a number; false if it was not there. */
  public boolean remove(long number) {
    int at = firstEndingAtOrAfter(number);
    if (at >= length || bounds[at] > number) {
      return false;
    }
    long first = bounds[at];
    long last = bounds[at + 1];
    if (first == last) {
      System.arraycopy(bounds, at + 2, bounds, at, length - at - 2);
      length -= 2;
    } else if (number == first) {
      bounds[at]++;
    } else if (number == last) {
      bounds[at + 1]--;
    } else {
      bounds[at + 1] = number - 1;
      insert(at + 2, number + 1, last);
    }
    return true;
  }

  /** Whether the number is there. */
  public boolean contains(long number) {
    int at = firstEndingAtOrAfter(number);
    return at < length && bounds[at] <= number;
  }

  /** Whether there is no number. */
  public boolean isEmpty() {
    return length == 0;
  }

  /** How many intervals there are. */
  public int intervals() {
    return length / 2;
  }

  /** The first number of an interval, counted from 0. */
  public long first(int interval) {
    return bounds[2 * interval];
  }

  /** The last number of an interval, counted from 0. */
  public long last(int interval) {
    return bounds[2 * interval + 1];
  }

  /** The numbers of this set that the other lacks. */
  public IntervalSet without(IntervalSet other) {
    IntervalSet rest = new IntervalSet();
    int theirs = length == 0 ? 0 : other.firstEndingAtOrAfter(bounds[0]);
    for (int mine = 0; mine < length; mine += 2) {
      long from = bounds[mine];
      long last = bounds[mine + 1];
      boolean more = true;
      while (theirs < other.length && other.bounds[theirs + 1] < from) {
        theirs += 2;
      }
      for (int at = theirs; at < other.length && other.bounds[at] <= last; at += 2) {
        if (from < other.bounds[at]) {
          rest.append(from, other.bounds[at] - 1);
        }
        more = other.bounds[at + 1] < last; // Asked before the sum, which may exceed 63 bits.
        from = other.bounds[at + 1] + 1;
      }
      if (more) {
        rest.append(from, last);
      }
    }
    return rest;
  }

  /** Adds all numbers of the other set. */
  public void addAll(IntervalSet other) {
    if (other.length == 0) {
      return;
    }
    IntervalSet union = new IntervalSet();
    IntervalSet missing = other.without(this);
    int mine = 0;
    int more = 0;
    while (mine < length || more < missing.length) {
      if (more == missing.length || (mine < length && bounds[mine] < missing.bounds[more])) {
        union.append(bounds[mine], bounds[mine + 1]);
        mine += 2;
      } else {
        union.append(missing.bounds[more], missing.bounds[more + 1]);
        more += 2;
      }
    }
    bounds = union.bounds;
    length = union.length;
  }

  /** Hands over every number, ascending. */
  public void forEach(LongConsumer action) {
    for (int at = 0; at < length; at += 2) {
      long last = bounds[at + 1];
      for (long number = bounds[at]; number < last; number++) {
        action.accept(number);
      }
      action.accept(last); // Outside the loop: the last number may be the largest there is.
    }
  }

  /** The index in {@code bounds} of the first interval that ends at {@code number} or after it. */
  private int firstEndingAtOrAfter(long number) {
    int low = 0;
    int high = length / 2;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (bounds[2 * middle + 1] < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return 2 * low;
  }

  private void insert(int at, long first, long last) {
    if (length + 2 > bounds.length) {
      bounds = Arrays.copyOf(bounds, Math.max(2, 2 * bounds.length));
    }
    System.arraycopy(bounds, at, bounds, at + 2, length - at);
    bounds[at] = first;
    bounds[at + 1] = last;
    length += 2;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IntervalSet that
        && Arrays.equals(bounds, 0, length, that.bounds, 0, that.length);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int at = 0; at < length; at++) {
      hash = 31 * hash + Long.hashCode(bounds[at]);
    }
    return hash;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int at = 0; at < length; at += 2) {
      text.append(at == 0 ? "" : ", ").append(bounds[at]);
      if (bounds[at + 1] > bounds[at]) {
        text.append("..").append(bounds[at + 1]);
      }
    }
    return text.append('}').toString();
  }
}
