package dev.tempest.protocol.order.time;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** The paper's example of a service: items, and how many of each. */
interface Cart {
  /** Adds so many, and returns how many there are now. */
  @Update
  int add(String item, int count);

  /** Takes the item out, and returns how many there were. */
  @Update
  int remove(String item);

  /** Puts so many in place of those that are there, and returns how many there were. */
  @Update
  int update(String item, int count);

  @Read
  int check(String item);
}
