package dev.tempest.state;

import java.time.Duration;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * A map whose entries may have an end of their own.
 *
 * <p>An entry whose time is over is not seen any more, by the clock of whoever looks; {@link
 * #size()} may count it for a second or so longer, until all replicas remove it at the same place
 * in the order of all writes.
 */
public interface TimedMap<K, V> extends ConcurrentMap<K, V> {
  /**
   * Puts a value that lives for a time of its own, whatever the map's is.
   *
   * @param timeToLive from now on, at least a millisecond
   * @return the value before it, null if there was none
   * @throws IllegalArgumentException if {@code timeToLive} is shorter
   */
  @Nullable V put(K key, V value, Duration timeToLive);
}
