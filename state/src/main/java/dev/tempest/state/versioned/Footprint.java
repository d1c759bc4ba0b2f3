package dev.tempest.state.versioned;

import dev.tempest.state.versioned.Write.Removed;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the execution of a request depends on and does: the keys that it read or wrote, absent ones
 * too, the objects that it looked at as a whole, and its writes. Executed on a version in which all
 * of these are as they were, it reads, writes and returns the same.
 *
 * <p>Keys are kept as numbers of 32 bits, which follow from the kind and name of the object and the
 * key: they are the same in every process, in whatever order it declares its objects. Two keys that
 * share a number are, rarely, taken for the same, which costs an execution or a wait that was not
 * necessary, and nothing else.
 *
 * <p>{@link #write} and {@link #read} carry what it depends on to other processes; the writes
 * travel as a {@link Change}. The layout, all numbers varints unless said otherwise:
 *
 * <pre>
 * 1                the number of this layout
 * 0|1              whether it depends on everything; if so, nothing follows
 * count            at most 1,024
 * number*          4 bytes each, rising, none of them 0
 * </pre>
 *
 * <p>Executions that touch the same have equal bytes. Immutable and thread-safe.
 */
public final class Footprint {
  /** Of an execution that touched nothing. */
  public static final Footprint NONE = new Footprint(new int[0], new Object[0]);

  /** Of one that touched so much that it is taken to depend on everything. */
  public static final Footprint EVERYTHING = new Footprint(new int[0], null);

  /** Collection, key, and what was written. */
  static final int LOG_STEP = 3;

  /** No number of a key. */
  static final int NO_NUMBER = 0;

  private static final int LAYOUT = 1;

  private final int[] touched;

  /** In the order of writing; an increment has the counter itself as its key. Null if not kept. */
  private final Object @Nullable [] writes;

  /** Takes the arrays over. */
  Footprint(int[] touched, Object @Nullable [] writes) {
    this.touched = touched;
    this.writes = writes;
  }

  /** Of one that wrote without reading anything else. */
  static Footprint of(Object[] writes) {
    int[] touched = new int[writes.length / LOG_STEP];
    for (int i = 0; i < touched.length; i++) {
      touched[i] = number((StateObject<?, ?>) writes[LOG_STEP * i], writes[LOG_STEP * i + 1]);
    }
    return new Footprint(touched, writes);
  }

  /** The number of a key of an object, as it stands in a log. */
  @SuppressWarnings("unchecked") // The log holds a key of the object beside it.
  static int number(StateObject<?, ?> object, Object key) {
    return object instanceof KeyedObject<?, ?> keyed
        ? number((KeyedObject<Object, ?>) keyed, key)
        : number(object);
  }

  /** The number of a key of an object. */
  static <K> int number(KeyedObject<K, ?> object, K key) {
    return number(object.nameHash ^ (object.keys.hash(key) & 0xFFFFFFFFL));
  }

  /** The number of an object as a whole, for whoever read all of it, or its size or a range. */
  static int number(StateObject<?, ?> object) {
    return number(~object.nameHash);
  }

  private static int number(long unmixed) {
    int number = (int) SplitMix.mix(unmixed);
    return number == NO_NUMBER ? 1 : number;
  }

  /** Writes what the execution depends on, without its writes; equal footprints, equal bytes. */
  public void write(ByteWriter writer) {
    int[] numbers = Arrays.stream(touched).sorted().distinct().toArray();
    boolean everything = isEverything() || numbers.length > Trail.TOUCHED_MAX;
    writer.writeVarint(LAYOUT);
    writer.writeBoolean(everything);
    if (!everything) {
      writer.writeVarint(numbers.length);
      for (int number : numbers) {
        writer.writeInt(number);
      }
    }
  }

  /**
   * Reads what {@link #write} wrote. The writes are not kept.
   *
   * @throws MalformedException if the bytes are no footprint
   */
  public static Footprint read(ByteReader reader) {
    long layout = reader.readVarint();
    if (layout != LAYOUT) {
      throw new MalformedException(
          "unknown layout %s of a footprint, expected %d"
              .formatted(Long.toUnsignedString(layout), LAYOUT));
    }
    if (reader.readBoolean()) {
      return EVERYTHING;
    }
    int[] numbers = new int[Math.min(reader.readCount(Integer.BYTES), Trail.TOUCHED_MAX + 1)];
    if (numbers.length > Trail.TOUCHED_MAX) {
      throw new MalformedException("a footprint of more than " + Trail.TOUCHED_MAX + " keys");
    }
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = reader.readInt();
      if (numbers[i] == NO_NUMBER || (i > 0 && numbers[i] <= numbers[i - 1])) {
        throw new MalformedException("a footprint whose numbers do not rise, or with a 0");
      }
    }
    return new Footprint(numbers, null);
  }

  /** Whether it is taken to depend on everything. */
  boolean isEverything() {
    return this == EVERYTHING;
  }

  /** Whether {@link #applyTo} can be used. */
  public boolean hasWrites() {
    return writes != null;
  }

  /** As much of it as is needed to tell on what the execution depends. */
  public Footprint withoutWrites() {
    if (touched.length > Trail.TOUCHED_MAX) {
      return EVERYTHING;
    }
    return writes == null ? this : new Footprint(touched, null);
  }

  /**
   * The version after the same writes to another one.
   *
   * @throws IllegalStateException if the writes were not kept
   */
  public Version applyTo(Version version) {
    Object[] log = log();
    Object[] roots = null;
    for (int at = 0; at < log.length; at += LOG_STEP) {
      StateObject<?, ?> object = (StateObject<?, ?>) log[at];
      if (roots == null) {
        roots = version.schema.roots(version);
      }
      roots[object.index] = written(roots[object.index], log, at);
    }
    return roots == null ? version : new Version(version.schema, version.generation, roots);
  }

  int[] touched() {
    return touched;
  }

  /** What was written, see {@link #LOG_STEP}; not to be written to. */
  Object[] log() {
    if (writes == null) {
      throw new IllegalStateException("the writes of this footprint were not kept");
    }
    return writes;
  }

  /** Whether what was written at that place of the log does not depend on what was there. */
  static boolean isAbsolute(Object write) {
    return !(write instanceof Write) || write instanceof Removed;
  }

  @SuppressWarnings("unchecked") // The log holds a key and value of the object beside it.
  private static Object written(Object root, Object[] log, int at) {
    if (log[at] instanceof CounterObject) {
      return (Long) root + (Long) log[at + 2];
    }
    KeyedObject<Object, Object> object = (KeyedObject<Object, Object>) log[at];
    return object.apply((Keyed<Object>) root, log[at + 1], log[at + 2]);
  }
}
