package dev.tempest.state;

import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * A request, or a batch, that is executing. Time and randomness come from here, so that every
 * replica that executes the request computes the same.
 *
 * <p>Not thread-safe: it belongs to the thread that executes the request. Only Tempest implements
 * it; versions to come may add methods.
 */
public interface Action {
  /** The time of the request, the same on every replica that executes it. */
  Instant now();

  /**
   * Random numbers, the same on every replica that executes the request, and in every Java version.
   * Good for choices, not for secrets. One generator per action.
   */
  RandomGenerator random();
}
