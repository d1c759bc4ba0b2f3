package dev.tempest.state.versioned;

import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The keys that some changes write to. Whoever {@linkplain #meets meets} none of them reads the
 * same before these changes, after them, and in between. Keys are kept as numbers, as in {@link
 * Footprint}: so whoever meets one may, rarely, read the same as well.
 *
 * <p>Immutable and thread-safe.
 */
public final class WrittenKeys {
  /** Of changes that write nothing. */
  public static final WrittenKeys NONE = new WrittenKeys(new int[0], new NumberSet());

  /** Of changes of which it is not known what they write. */
  public static final WrittenKeys EVERYTHING = new WrittenKeys(new int[0], null);

  /** More are taken for everything: they are put together anew for every change. */
  static final int NUMBERS_MAX = 4_096;

  /** Of keys and their objects; some stand there twice. */
  private final int[] all;

  /** The same; null for everything. Never changed. */
  private final @Nullable NumberSet numbers;

  private WrittenKeys(int[] all, @Nullable NumberSet numbers) {
    this.all = all;
    this.numbers = numbers;
  }

  /**
   * Those of a change, or of an execution that has written.
   *
   * @param change null if that cannot be read here
   */
  public static WrittenKeys of(@Nullable Footprint change) {
    if (change == null || !change.hasWrites()) {
      return EVERYTHING;
    }
    Object[] log = change.log();
    int[] numbers = new int[2 * (log.length / Footprint.LOG_STEP)];
    int count = 0;
    for (int at = 0; at < log.length; at += Footprint.LOG_STEP) {
      StateObject<?, ?> object = (StateObject<?, ?>) log[at];
      numbers[count] = Footprint.number(object, log[at + 1]);
      numbers[count + 1] = Footprint.number(object);
      count += 2;
    }
    return of(numbers);
  }

  /** All of them. */
  public static WrittenKeys union(Collection<WrittenKeys> those) {
    int count = 0;
    for (WrittenKeys each : those) {
      if (each == EVERYTHING) {
        return EVERYTHING;
      }
      count += each.all.length;
    }
    int[] numbers = new int[Math.min(count, NUMBERS_MAX + 1)];
    int filled = 0;
    for (WrittenKeys each : those) {
      int copied = Math.min(each.all.length, numbers.length - filled);
      System.arraycopy(each.all, 0, numbers, filled, copied);
      filled += copied;
    }
    return of(numbers);
  }

  private static WrittenKeys of(int[] numbers) {
    if (numbers.length > NUMBERS_MAX) {
      return EVERYTHING;
    }
    NumberSet set = new NumberSet();
    Arrays.stream(numbers).forEach(set::add);
    return set.isEmpty() ? NONE : new WrittenKeys(numbers, set);
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return numbers != null && numbers.isEmpty();
  }

  /** Whether what an execution has touched may be among them. */
  public boolean meets(Footprint executed) {
    if (numbers == null || executed.isEverything()) {
      return !isEmpty();
    }
    for (int number : executed.touched()) {
      if (numbers.contains(number)) {
        return true;
      }
    }
    return false;
  }

  /** Whether that key may be. */
  <K> boolean contains(KeyedObject<K, ?> object, K key) {
    return !isEmpty() && (numbers == null || numbers.contains(Footprint.number(object, key)));
  }

  /** Whether some key of that object may be. */
  boolean contains(StateObject<?, ?> object) {
    return !isEmpty() && (numbers == null || numbers.contains(Footprint.number(object)));
  }
}
