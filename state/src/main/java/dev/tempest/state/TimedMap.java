package dev.tempest.state;

import java.time.Duration;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * A map whose entries may each have a time to live.
 *
 * <p>Expired entries are hidden, by the reader's clock, until all replicas remove them at the same
 * place in the order of all writes.
 */
public interface TimedMap<K, V> extends ConcurrentMap<K, V> {
  /**
   * Puts a value with its own time to live, which overrides the map's.
   *
   * @param timeToLive from now on, at least a millisecond
   * @return the value before it, null if there was none
   * @throws IllegalArgumentException if {@code timeToLive} is shorter
   */
  @Nullable V put(K key, V value, Duration timeToLive);
}
