package dev.tempest.simulator;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** A number whose value tells how many updates there were before; as in an older release. */
interface OlderCounting {
  /** Adds one, and returns the new number. */
  @Update
  long next();

  /** Adds one, and says nothing. */
  @Update
  void count();

  /**
   * Adds one, which does not count, since it throws.
   *
   * @throws IllegalStateException always
   */
  @Update
  void refuse();

  /**
   * As {@link #next} for somebody who asks by a name of its own.
   *
   * @throws IllegalStateException if it has counted before
   */
  @Update
  long nextBy(long name);

  @Read
  long latest();
}
