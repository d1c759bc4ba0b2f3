package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.values.encoding.StableHash;
import dev.tempest.values.encoding.ValueType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where an element of a list or deque stands: a key that keeps its place whatever comes and goes
 * around it, as in Logoot (Weiss, Urso and Molli, ICDCS 2009).
 *
 * <p>A position is a path of steps, each a digit, the client that made it and a serial number of
 * that client. Steps compare by digit, then client, then serial; paths by their first different
 * step, a path before its continuations. Between any two positions lie others, for every client one
 * of its own, so two clients that insert at the same place without knowing of each other make
 * different positions. As good as all paths are one step long; one goes a step deeper where no
 * digit is left between its neighbours.
 *
 * <p>Immutable and thread-safe. Paths share the steps that they have in common where one was made
 * from the other.
 */
final class Position implements Comparable<Position> {
  /** The most steps of a path: some 180,000 insertions, each between the last two. */
  static final int STEPS_MAX = 4096;

  /**
   * How far beyond the first or last element the next is put: 8 billion appends at either end are
   * one step long, and 30 insertions, each between the last two, fit in between.
   */
  static final long STRIDE = 1L << 30;

  /** Below the first step few elements are appended, so that there is room for more between. */
  static final long STRIDE_BELOW = 1L << 44;

  static final ValueType<Position> TYPE = new Type();

  /** Below every digit that a path ends with, so that there is room before each. */
  private static final long DIGIT_MIN = Long.MIN_VALUE;

  private static final long DIGIT_MAX = Long.MAX_VALUE;
  private static final Position[] NO_STEPS = {};

  /** The path up to the last step; null if that is the first. */
  private final @Nullable Position parent;

  private final long digit;
  private final long client;
  private final long serial;

  private Position(@Nullable Position parent, long digit, long client, long serial) {
    this.parent = parent;
    this.digit = digit;
    this.client = client;
    this.serial = serial;
  }

  /**
   * A position between two others.
   *
   * @param before the one that it comes after, null if it may come first
   * @param after the one that it comes before, null if it may come last
   * @param client who asks
   * @param serial a number that {@code client} gives away once: with it the position is unique
   * @throws IllegalArgumentException if {@code before} is not before {@code after}
   * @throws IllegalStateException if it would take more than {@link #STEPS_MAX} steps
   */
  static Position between(
      @Nullable Position before, @Nullable Position after, long client, long serial) {
    if (before != null && after != null && before.compareTo(after) >= 0) {
      throw new IllegalArgumentException("nothing lies between " + before + " and " + after);
    }
    Position[] low = path(before);
    Position[] high = path(after);
    int depth = sharedSteps(low, high);
    Position parent = depth == 0 ? null : low[depth - 1];
    // A bound without a step at this depth bounds nothing here.
    boolean hasLow = depth < low.length;
    boolean hasHigh = depth < high.length;
    while (true) {
      long lowDigit = hasLow ? low[depth].digit : DIGIT_MIN;
      long highDigit = hasHigh ? high[depth].digit : DIGIT_MAX;
      if (Long.compareUnsigned(highDigit - lowDigit, 1) > 0) {
        long stride = depth == 0 ? STRIDE : STRIDE_BELOW;
        long chosen = digitBetween(lowDigit, highDigit, hasLow, hasHigh, stride);
        return new Position(parent, chosen, client, serial);
      }
      if (hasLow) { // Below the last step that is too low, above all that follows it there.
        parent = low[depth];
        hasHigh = false;
      } else if (highDigit == DIGIT_MIN) { // No path ends so.
        parent = high[depth];
      } else {
        parent = new Position(parent, DIGIT_MIN, client, serial);
        hasHigh = false;
      }
      depth++;
      hasLow &= depth < low.length;
      if (depth == STEPS_MAX) {
        throw new IllegalStateException(
            "too many elements were inserted at one place: put the elements into a new list, or"
                + " clear this one and add them again");
      }
    }
  }

  /**
   * Fills an array with rising positions between two others, where there is room for each: beyond
   * the bound if there is one, else in halves.
   *
   * @param serial the first of as many numbers as there are positions, see {@link #between}
   */
  static void fill(
      Position[] positions,
      @Nullable Position before,
      @Nullable Position after,
      long client,
      long serial) {
    int count = positions.length;
    if (after == null) {
      Position last = before;
      for (int i = 0; i < count; i++) {
        last = between(last, null, client, serial + i);
        positions[i] = last;
      }
    } else if (before == null) {
      Position first = after;
      for (int i = count - 1; i >= 0; i--) {
        first = between(null, first, client, serial + i);
        positions[i] = first;
      }
    } else {
      fillHalves(positions, 0, count, before, after, client, serial);
    }
  }

  private static void fillHalves(
      Position[] positions,
      int from,
      int to,
      Position before,
      Position after,
      long client,
      long serial) {
    if (from < to) {
      int middle = (from + to) >>> 1;
      Position position = between(before, after, client, serial + middle);
      positions[middle] = position;
      fillHalves(positions, from, middle, before, position, client, serial);
      fillHalves(positions, middle + 1, to, position, after, client, serial);
    }
  }

  private static long digitBetween(
      long low, long high, boolean hasLow, boolean hasHigh, long stride) {
    if (!hasLow && !hasHigh) {
      return 0;
    }
    long half = (high - low) >>> 1; // Unsigned: the whole range exceeds a long.
    if (hasLow == hasHigh) {
      return low + half;
    }
    long distance = Math.min(stride, half);
    return hasLow ? low + distance : high - distance;
  }

  private static int sharedSteps(Position[] left, Position[] right) {
    int shorter = Math.min(left.length, right.length);
    int shared = 0;
    while (shared < shorter && compareSteps(left[shared], right[shared]) == 0) {
      shared++;
    }
    return shared;
  }

  /** The paths to every step of {@code position}, the first step first. */
  private static Position[] path(@Nullable Position position) {
    if (position == null) {
      return NO_STEPS;
    }
    int depth = position.steps();
    Position[] path = new Position[depth];
    for (Position step = position; step != null; step = step.parent) {
      path[--depth] = step;
    }
    return path;
  }

  /** The length of the path. */
  int steps() {
    int count = 1;
    for (Position step = parent; step != null; step = step.parent) {
      count++;
    }
    return count;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Shared steps are the same objects.
  public int compareTo(Position that) {
    if (parent == that.parent) { // Mostly because both are one step long.
      return compareSteps(this, that);
    }
    int steps = steps();
    int thatSteps = that.steps();
    int byPath = compareAligned(up(steps - thatSteps), that.up(thatSteps - steps));
    return byPath != 0 ? byPath : Integer.compare(steps, thatSteps);
  }

  /** This path without its last {@code count} steps, fewer than it has; itself if negative. */
  private Position up(int count) {
    Position result = this;
    for (int i = 0; i < count; i++) {
      result = Objects.requireNonNull(result.parent);
    }
    return result;
  }

  /** Compares paths of the same length, from their ends up to what they share. */
  @SuppressWarnings("ReferenceEquality") // What is shared is the same object.
  private static int compareAligned(Position left, Position right) {
    int result = 0;
    Position one = left;
    Position other = right;
    while (one != null && other != null && one != other) {
      int byStep = compareSteps(one, other);
      result = byStep == 0 ? result : byStep;
      one = one.parent;
      other = other.parent;
    }
    return result;
  }

  private static int compareSteps(Position left, Position right) {
    int byDigit = Long.compare(left.digit, right.digit);
    if (byDigit != 0) {
      return byDigit;
    }
    int byClient = Long.compare(left.client, right.client);
    return byClient != 0 ? byClient : Long.compare(left.serial, right.serial);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Position that && compareTo(that) == 0);
  }

  /** Of the last step, which no other position has. */
  @Override
  public int hashCode() {
    return StableHash.of(SplitMix.mix(SplitMix.mix(client) ^ serial) ^ digit);
  }

  /** The digits and whose they are, for messages of tests. */
  @Override
  public String toString() {
    String last = digit + "@" + Long.toHexString(client) + "/" + serial;
    return parent == null ? last : parent + "." + last;
  }

  private void write(ByteWriter writer) {
    Position[] path = path(this);
    writer.writeVarint(path.length);
    for (Position step : path) {
      writer.writeZigzag(step.digit);
      writer.writeLong(step.client);
      writer.writeZigzag(step.serial);
    }
  }

  private static Position read(ByteReader reader) {
    int count = reader.readVarint(STEPS_MAX);
    Position path = null;
    for (int i = 0; i < count; i++) {
      path = new Position(path, reader.readZigzag(), reader.readLong(), reader.readZigzag());
    }
    if (path == null || path.digit == DIGIT_MIN) {
      throw new MalformedException("no position of an element: " + path);
    }
    return path;
  }

  /**
   * Positions as keys. The layout is a varint of the number of steps, and of each a zigzag digit,
   * the client in 8 bytes, and a zigzag serial.
   */
  private static final class Type implements ValueType<Position> {
    @Override
    public Class<Position> declared() {
      return Position.class;
    }

    @Override
    public boolean hasContentEquality() {
      return true;
    }

    @Override
    public long mostBytes(Position value) {
      return 5 + 28L * value.steps(); // A count, then a digit, a client and a serial per step.
    }

    @Override
    public void write(@Nullable Position value, ByteWriter writer) {
      Objects.requireNonNull(value).write(writer);
    }

    @Override
    public Position read(ByteReader reader) {
      return Position.read(reader);
    }

    @Override
    public Position copy(Position value) {
      return value;
    }

    @Override
    public int hash(Position value) {
      return value.hashCode();
    }
  }
}
