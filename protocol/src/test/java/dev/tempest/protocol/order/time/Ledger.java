package dev.tempest.protocol.order.time;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** A service whose results tell in which order its updates ran, and how often. */
interface Ledger {
  /** Adds, and returns the new amount. */
  @Update
  int add(String account, int amount);

  /** Doubles, and returns the new amount: does not commute with adding. */
  @Update
  int twice(String account);

  /** Throws if there is less. */
  @Update
  int take(String account, int amount);

  @Read
  int amount(String account);
}
