package dev.tempest.simulator;

import dev.tempest.service.Update;

/**
 * What the ledger can be asked; its older release lacks a method, and the collections behind it.
 */
interface Ledger extends OlderLedger {
  /**
   * Something with a list, a queue and a stack, which depends on the order of everything in them.
   *
   * @param place where in the list
   * @return what was taken out
   */
  @Update
  long line(int place, long tag);
}
