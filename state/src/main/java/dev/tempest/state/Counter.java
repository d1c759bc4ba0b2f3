package dev.tempest.state;

/**
 * A number that is part of the state of a service. Increments commute: replicas that apply the same
 * ones in any order agree.
 *
 * <p>It overflows from {@link Long#MAX_VALUE} to {@link Long#MIN_VALUE} and back, as {@code long}
 * arithmetic does: an error at the bound would depend on the order. In a service, use it from the
 * thread of the action that executes; outside one every method throws {@link
 * IllegalStateException}.
 */
public interface Counter {
  /** The value; 0 at first. */
  long get();

  /**
   * Adds {@code delta}, which may be negative.
   *
   * @return the value after it
   * @throws ReadOnlyException in an action that only reads
   */
  long add(long delta);

  /**
   * Adds 1.
   *
   * @return the value after it
   * @throws ReadOnlyException in an action that only reads
   */
  default long increment() {
    return add(1);
  }
}
