package dev.tempest.state.versioned;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The keys that some changes write to: whoever {@linkplain #meets meets} none of them reads the
 * same before these changes, after them, and in between. Keys are kept as numbers, as in {@link
 * Footprint}: so whoever meets one may, rarely, read the same as well.
 *
 * <p>Immutable and thread-safe.
 */
public final class WrittenKeys {
  /** Of changes that write nothing. */
  public static final WrittenKeys NONE = new WrittenKeys(new NumberSet());

  /** Of changes of which it is not known what they write. */
  public static final WrittenKeys EVERYTHING = new WrittenKeys(null);

  /** Of keys and their objects; null for everything. Written to by nobody any more. */
  private final @Nullable NumberSet numbers;

  private WrittenKeys(@Nullable NumberSet numbers) {
    this.numbers = numbers;
  }

  /** Those of some changes, or of executions that have written. */
  public static WrittenKeys of(Collection<Footprint> changes) {
    NumberSet numbers = new NumberSet();
    for (Footprint change : changes) {
      if (!change.hasWrites()) {
        return EVERYTHING;
      }
      Object[] log = change.log();
      for (int at = 0; at < log.length; at += Footprint.LOG_STEP) {
        StateObject<?, ?> object = (StateObject<?, ?>) log[at];
        numbers.add(Footprint.number(object, log[at + 1]));
        numbers.add(Footprint.number(object));
      }
    }
    return numbers.isEmpty() ? NONE : new WrittenKeys(numbers);
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
