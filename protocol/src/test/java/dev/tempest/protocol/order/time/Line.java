package dev.tempest.protocol.order.time;

import dev.tempest.service.Update;

/** A service in which everything depends on the order. */
interface Line {
  /** Queues a number, and passes the first of the queue on once there are three. */
  @Update
  void pass(int number);
}
