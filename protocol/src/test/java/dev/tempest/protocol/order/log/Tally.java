package dev.tempest.protocol.order.log;

import dev.tempest.service.Read;
import dev.tempest.service.Update;

/** A number whose value tells how many updates there were before. */
interface Tally {
  /** Adds one, and returns the new number. */
  @Update
  long next();

  @Read
  long latest();
}
