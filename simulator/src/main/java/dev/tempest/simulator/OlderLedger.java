package dev.tempest.simulator;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/**
 * A service that cannot hide what happened to it: it counts how often each update took effect and
 * in which order, and nearly every result depends on everything before. What its older release can
 * be asked.
 */
interface OlderLedger {
  /**
   * Chains a number to what is under the key: no two orders of the same numbers give the same.
   *
   * @param tag unique for every update
   * @return the chain
   */
  @Update
  long append(String key, long tag);

  /** Chains what is under one key to what is under the other, and empties the first. */
  @Update
  long move(String from, String to, long tag);

  /** Adds to the number under the key: any order gives the same. */
  @Update
  long add(String key, long amount, long tag);

  /** Takes 3 from the number under the key; throws if it is less. */
  @Update
  long spend(String key, long tag);

  /** Puts the item into the set, or takes it out if it is there; whether it is there now. */
  @Update
  boolean toggle(String item, long tag);

  /** Adds to a number that no update reads; the number as it is there. Has no position. */
  @Update(commutative = true)
  long vote(String item, long amount, long tag);

  /** How many times the update took effect. */
  @Read
  long executions(long tag);

  /** How many updates had taken effect when this one had; 0 if it has not, or is a vote. */
  @Read
  long position(long tag);

  /** The number under the key; 0 if there is none. */
  @Read
  long sum(String key);

  /** A number that stands for the order in which all collections iterate. */
  @Read
  long order();
}
