package dev.tempest.protocol.order.time;

import dev.tempest.service.Update;

/** A service that does anything with anything. */
interface Acts {
  /**
   * Does something that follows from the seed and the state, and tells what it saw.
   *
   * @param keys under how many keys, at most
   */
  @Update
  String act(long seed, int keys);

  /** Puts a value under a key without anything else, and tells what was there. */
  @Update
  String put(int key, int value);

  /** Adds to a number that nothing else reads, and tells what it is now. */
  @Update(commutative = true)
  int tally(int key, int amount);

  /** Tells how much there is. */
  @Update
  int count();
}
